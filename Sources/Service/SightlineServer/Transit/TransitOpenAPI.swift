/// The transit interface's part of the description of the whole one (``APIDescription``).
enum TransitOpenAPI {}
