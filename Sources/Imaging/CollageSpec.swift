/// A square that shows parts of pictures in its cells, as ``ImageProcessor/compose(_:picturesAt:renditions:into:)``
/// renders it.
///
/// Spacing and corners are in pixels of a square of ``designSide`` pixels, which is scaled to ``side``. A spec can
/// only be created with values that can be rendered.
public struct CollageSpec: Sendable, Hashable {
    /// The side in pixels of the square in which spacing and corners are measured.
    public static let designSide = 400.0
    /// The allowed values of ``side``.
    public static let sides = 512...4096
    /// The allowed values of ``spacing``.
    public static let spacings = 0...40
    /// The allowed values of ``cornerRadius``.
    public static let cornerRadii = 0...40
    /// The allowed numbers of ``cells``.
    public static let cellCounts = 1...9

    /// The width and height of the collage in pixels.
    public let side: Int
    /// The format of the file in full size.
    public let format: Format
    /// The colour between the cells and around them.
    public let background: Colour
    /// The width of the gaps between cells and of the border, in pixels of a square of 400 pixels.
    public let spacing: Int
    /// The radius of each cell's corners, in pixels of a square of 400 pixels. A cell that is too small for two such
    /// corners on a side has smaller ones.
    public let cornerRadius: Int
    /// The cells, each of which shows one picture.
    public let cells: [Cell]

    /// Creates a spec, or returns nil if a value is out of range or a cell is too small.
    ///
    /// - Parameters:
    ///   - side: the width and height in pixels, 512 to 4096.
    ///   - format: the format of the file in full size.
    ///   - background: the colour between the cells and around them.
    ///   - spacing: 0 to 40 pixels of a square of 400.
    ///   - cornerRadius: 0 to 40 pixels of a square of 400.
    ///   - cells: one to nine cells, which keep at least 10 pixels of a square of 400 in width and height.
    public init?(
        side: Int = 2048, format: Format = .jpeg, background: Colour = .white, spacing: Int = 10,
        cornerRadius: Int = 0, cells: [Cell]
    ) {
        guard Self.sides.contains(side), Self.spacings.contains(spacing),
            Self.cornerRadii.contains(cornerRadius), Self.cellCounts.contains(cells.count),
            cells.allSatisfy({ $0.isValid(spacing: spacing) })
        else { return nil }
        self.side = side
        self.format = format
        self.background = background
        self.spacing = spacing
        self.cornerRadius = cornerRadius
        self.cells = cells
    }

    /// The file formats of a collage in full size.
    public enum Format: String, Sendable, CaseIterable, Codable {
        /// JPEG of quality 90, PNG, and WebP of quality 90.
        case jpeg, png, webp

        /// The kind of the file, with its media type and extension.
        public var imageFormat: ImageFormat {
            switch self {
            case .jpeg: .jpeg
            case .png: .png
            case .webp: .webp
            }
        }
    }

    /// A colour in sRGB.
    public struct Colour: Sendable, Hashable {
        /// The part of red, 0 to 255.
        public let red: UInt8
        /// The part of green, 0 to 255.
        public let green: UInt8
        /// The part of blue, 0 to 255.
        public let blue: UInt8

        /// White.
        public static let white = Colour(red: 255, green: 255, blue: 255)

        /// Creates a colour of its parts, 0 to 255 each.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// Reads a colour in the form `#rrggbb`, in digits of either case. Returns nil for any other text.
        public init?(hex text: String) {
            let digits = text.utf8.dropFirst()
            guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
                digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let number = Int(text.dropFirst(), radix: 16)
            else { return nil }
            self.init(
                red: UInt8(number >> 16), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
        }
    }

    /// A rectangle in the unit square, without the spacing around it; `y` grows downwards.
    public struct Frame: Sendable, Hashable {
        /// The left edge, 0 to 1.
        public var x: Double
        /// The top edge, 0 to 1.
        public var y: Double
        /// The width, at most 1.
        public var width: Double
        /// The height, at most 1.
        public var height: Double

        /// Creates a rectangle of its left and top edges, its width and its height, in parts of the square.
        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// A cell, and the part of its picture that the cell shows.
    public struct Cell: Sendable, Hashable {
        /// The allowed values of a picture's zoom.
        public static let zooms = PictureView.zooms

        /// The cell's place in the unit square.
        public var frame: Frame
        /// The part of the picture that is shown.
        public var view: PictureView

        /// Creates a cell that shows the middle of its picture, as much of it as fits.
        ///
        /// - Parameters:
        ///   - frame: the cell's place in the unit square.
        ///   - zoom: how many times the picture is enlarged, 1 to 8.
        ///   - x: the part to show of what doesn't fit in width, 0 (left) to 1 (right).
        ///   - y: the part to show of what doesn't fit in height, 0 (top) to 1 (bottom).
        public init(frame: Frame, zoom: Double = 1, x: Double = 0.5, y: Double = 0.5) {
            self.frame = frame
            view = PictureView(zoom: zoom, x: x, y: y)
        }

        /// The least width and height in pixels of a square of 400 pixels.
        private static let leastSide = 10.0

        fileprivate func isValid(spacing: Int) -> Bool {
            // Sums of thirds and the like may exceed 1 by a rounding error.
            let edges = -1e-9...1 + 1e-9
            let spacing = Double(spacing)
            return [frame.x, frame.y, frame.x + frame.width, frame.y + frame.height]
                .allSatisfy(edges.contains)
                && [frame.width, frame.height].allSatisfy {
                    $0 * (designSide - spacing) - spacing >= Self.leastSide
                }
                && view.isValid
        }
    }
}
