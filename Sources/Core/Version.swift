/// The version of this program.
public let tintypeVersion = "1.0.0"
