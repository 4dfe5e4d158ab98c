internal import NIOCore

/// Decrypts the incoming bytes of a connection, and encrypts the outgoing ones.
///
/// Hummingbird's own handler would add BoringSSL, 370 files, to each build; OpenSSL is installed
/// anyway.
final class TLSHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let session: TLSSession
  private var isReady = false
  /// The bytes written before the handshake is complete.
  private var waiting: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
  /// The length of the longest record of TLS.
  private static let recordBytes = 1 << 14

  init(_ session: TLSSession) { self.session = session }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unsafe unwrapInboundIn(data).withUnsafeReadableBytes { unsafe session.receive($0) }
    if !isReady {
      let outcome = session.handshake()
      context.writeAndFlush(wrapOutboundOut(pending(context)), promise: nil)
      switch outcome {
      case .waits: return
      case .ended, .failed: return context.close(promise: nil)
      case .done: isReady = true
      }
      for (bytes, promise) in waiting { encrypt(bytes, promise, context) }
      waiting = []
      context.flush()
    }
    decrypt(context)
  }

  private func decrypt(_ context: ChannelHandlerContext) {
    while true {
      var plain = context.channel.allocator.buffer(capacity: Self.recordBytes)
      var outcome = TLSSession.Outcome.waits
      unsafe plain.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.recordBytes) { buffer in
        let read = unsafe session.read(into: buffer)
        outcome = read.outcome
        return read.count
      }
      switch outcome {
      case .done: context.fireChannelRead(wrapInboundOut(plain))
      case .waits: return
      case .ended: return context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      case .failed: return context.close(promise: nil)
      }
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let bytes = unwrapOutboundIn(data)
    if isReady { encrypt(bytes, promise, context) } else { waiting.append((bytes, promise)) }
  }

  private func encrypt(
    _ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
  ) {
    // OpenSSL accepts no empty writes; here they signal that the writes before them are sent.
    guard bytes.readableBytes > 0 else {
      return context.write(wrapOutboundOut(bytes), promise: promise)
    }
    guard unsafe bytes.withUnsafeReadableBytes({ unsafe session.write($0) == .done }) else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return context.close(promise: nil)
    }
    context.write(wrapOutboundOut(pending(context)), promise: promise)
  }

  /// What is to be sent.
  private func pending(_ context: ChannelHandlerContext) -> ByteBuffer {
    var bytes = context.channel.allocator.buffer(capacity: session.pending)
    unsafe bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: session.pending) {
      unsafe session.take(into: $0)
    }
    return bytes
  }

  func close(
    context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
  ) {
    if isReady, mode != .input {
      session.end()
      context.writeAndFlush(wrapOutboundOut(pending(context)), promise: nil)
    }
    context.close(mode: mode, promise: promise)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
    waiting = []
  }
}
