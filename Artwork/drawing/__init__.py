"""The drawings of Tintype, as programs that make SVG."""
