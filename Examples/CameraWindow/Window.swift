import CX11

/// A window of X, as large as a frame, which shows the last one until it is closed: by its cross, by Escape or by Q.
final class Window {
  private let display: OpaquePointer
  private let window: CX11.Window
  private let visual: UnsafeMutablePointer<Visual>
  private let depth: Int32
  private let closing: Atom
  private var last: Frame?
  /// Whether its user closed it.
  private(set) var isClosed = false

  init(title: String, width: Int, height: Int) throws {
    guard let display = XOpenDisplay(nil) else {
      throw Problem("there is no screen here (DISPLAY); write a video with --output instead.")
    }
    let screen = XDefaultScreen(display)
    guard let visual = XDefaultVisual(display, screen), visual.pointee.red_mask == 0xFF0000,
      visual.pointee.green_mask == 0xFF00, visual.pointee.blue_mask == 0xFF
    else {
      XCloseDisplay(display)
      throw Problem("the screen has no 24 bits of colour; write a video with --output instead.")
    }
    self.display = display
    self.visual = visual
    depth = XDefaultDepth(display, screen)
    window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, UInt32(width), UInt32(height), 0, 0, 0)
    closing = XInternAtom(display, "WM_DELETE_WINDOW", 0)
    var protocols = [closing]
    XSetWMProtocols(display, window, &protocols, 1)
    XStoreName(display, window, title)
    XSelectInput(display, window, ExposureMask | KeyPressMask)
    XMapWindow(display, window)
    // What is drawn before the window is there is lost.
    while last == nil, !isClosed {
      var event = XEvent()
      XNextEvent(display, &event)
      if event.type == Expose { break }
      take(&event)
    }
  }

  deinit {
    XDestroyWindow(display, window)
    XCloseDisplay(display)
  }

  /// Shows a frame, and takes what the user did meanwhile.
  func show(_ frame: Frame) {
    last = frame
    put()
    while XPending(display) > 0 {
      var event = XEvent()
      XNextEvent(display, &event)
      take(&event)
    }
  }

  /// Shows the last frame until the window is closed.
  func waitUntilClosed() {
    while !isClosed {
      var event = XEvent()
      XNextEvent(display, &event)
      take(&event)
    }
  }

  private func take(_ event: inout XEvent) {
    switch event.type {
    case Expose: put()
    case ClientMessage: isClosed = isClosed || Atom(bitPattern: event.xclient.data.l.0) == closing
    case KeyPress:
      let key = XLookupKeysym(&event.xkey, 0)
      isClosed = isClosed || key == KeySym(XK_Escape) || key == KeySym(XK_q)
    default: break
    }
  }

  private func put() {
    guard var frame = last else { return }
    let (width, height) = (UInt32(frame.width), UInt32(frame.height))
    frame.pixels.withUnsafeMutableBytes { bytes in
      let data = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let image = XCreateImage(display, visual, UInt32(depth), ZPixmap, 0, data, width, height, 32, 0) else {
        return
      }
      image.pointee.byte_order = LSBFirst
      XPutImage(display, window, XDefaultGC(display, XDefaultScreen(display)), image, 0, 0, 0, 0, width, height)
      // The pixels stay the array's.
      image.pointee.data = nil
      XFree(image)
    }
    XFlush(display)
  }
}
