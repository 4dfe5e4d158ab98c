internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Workspace

/// The middleware of all requests: access rules, error responses, and the security headers for
/// browsers.
struct SecurityMiddleware: RouterMiddleware {
  typealias Context = StudioContext

  let rules: AccessRules
  /// Whether the page for tracing may ask for the camera.
  var hasCamera = false

  /// The page may load its own files, and no inline scripts or styles.
  static let contentSecurityPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'",
    "img-src 'self' data: blob:", "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// Browser features that pages may not use.
  static let permissionsPolicy = permissions()

  /// The policy of the page for tracing where it may ask for the camera: it keeps the screen on,
  /// too (TR-022, TR-023).
  static let cameraPolicy = permissions(except: ["camera", "screen-wake-lock"])

  /// The policy of the calm surface: it keeps the screen on, and feels how the device is held.
  static let calmPolicy = permissions(except: ["accelerometer", "gyroscope", "screen-wake-lock"])

  private static func permissions(except allowed: [String] = []) -> String {
    features.map { "\($0)=(\(allowed.contains($0) ? "self" : ""))" }.joined(separator: ", ")
  }

  private static let features = [
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media",
    "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer",
    "microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-get",
    "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
  ]

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response: Response
    var isLast = false
    do {
      let admission = try rules.admit(request)
      var context = context
      context.visitor = admission.visitor
      context.channel.pipeline.fireUserInboundEventTriggered(
        RequestGate.Admitted(visitor: admission.visitor))
      do { response = try await next(request, context) } catch {
        response = answer(to: error, of: request)
        // The rest of a body that is too long, too slow or not to be sent may never end.
        isLast =
          [.requestTimeout, .contentTooLarge, .forbidden].contains(response.status)
          && request.announcesBody
      }
      if let cookie = admission.cookie {
        response.headers[.setCookie] = cookie
        // The URL of this request contains the token.
        response.headers[.cacheControl] = "no-store"
      }
    } catch {
      response = answer(to: error, of: request)
      response.headers[.cacheControl] = "no-store"
      isLast = true
    }
    if request.head.endsParsing { isLast = true }
    harden(&response, isInterface: !request.isForPage)
    switch request.uri.path {
    case PageFile.tracing where hasCamera:
      response.headers[.permissionsPolicy] = Self.cameraPolicy
    case PageFile.calm: response.headers[.permissionsPolicy] = Self.calmPolicy
    default: break
    }
    if request.method == .head { response = response.createHeadResponse() }
    // A rejected client must not keep a connection open by sending endlessly, nor get answers to
    // all that it sent at once.
    if isLast { response.headers[.connection] = "close" }
    return response
  }

  private func answer(to error: any Error, of request: Request) -> Response {
    if let error = error as? WorkspaceError, StudioError(error).status.kind == .serverError {
      Studio.log("\(request.method) \(request.uri.path): \(error)")
    }
    let error =
      StudioError(error) ?? .unforeseen(error, in: "\(request.method) \(request.uri.path)")
    var response: Response
    if !request.isForPage {
      response = (try? .json(error, status: error.status)) ?? Response(status: error.status)
    } else {
      response = Response(
        status: error.status, headers: [.contentType: "text/plain; charset=utf-8"],
        body: .init(byteBuffer: ByteBuffer(string: error.message + "\n")))
    }
    if error.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
    return response
  }

  private func harden(_ response: inout Response, isInterface: Bool) {
    response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
    response.headers[.permissionsPolicy] = Self.permissionsPolicy
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.referrerPolicy] = "no-referrer"
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    response.headers[.crossOriginResourcePolicy] = "same-origin"
    if isInterface, response.headers[.cacheControl] == nil {
      response.headers[.cacheControl] = "no-store"
    }
  }
}

extension Request {
  /// Whether a body is to follow.
  fileprivate var announcesBody: Bool {
    headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
  }
}
