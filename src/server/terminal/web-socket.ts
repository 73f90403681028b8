import type { Duplex } from 'node:stream'
import { encodeFrame, type Frame, FrameReader, OPCODE, protocolFault } from './web-socket-frame.ts'

export type WebSocketListener = {
  readonly onBinary: (bytes: Uint8Array) => void
  readonly onText: (text: string) => void
  /** The other end has taken all that was sent. */
  readonly onDrain: () => void
  /** Called once, whoever closed and for whatever reason. */
  readonly onClose: () => void
}

const MESSAGE_LIMIT = 1024 * 1024
const PING_INTERVAL_MS = 20_000
/** Silence for so long, pings included, is a dead connection. */
const SILENCE_MS = 60_000
const CLOSE_GRACE_MS = 2_000
const REASON_LIMIT = 120

/** The server's end of a WebSocket. Nothing is read before `listen`, and nothing is kept that was not taken. */
export class WebSocketEnd {
  readonly #socket: Duplex
  readonly #reader = new FrameReader(MESSAGE_LIMIT)
  #parts: Buffer[] = []
  #partsOpcode: number = OPCODE.continuation
  #listener: WebSocketListener | undefined
  #pinging: NodeJS.Timeout | undefined
  #heardAt = performance.now()
  #isClosing = false as boolean

  /** `head` is what came right after the request. */
  constructor(socket: Duplex, head: Uint8Array) {
    this.#socket = socket
    socket.pause()
    if (head.length > 0) socket.unshift(head)
    socket.on('error', () => socket.destroy())
    socket.once('end', () => socket.destroy())
  }

  get isOpen(): boolean {
    return !this.#isClosing && !this.#socket.destroyed
  }

  listen(listener: WebSocketListener): void {
    this.#listener = listener
    const close = () => {
      clearInterval(this.#pinging)
      listener.onClose()
    }
    if (this.#socket.destroyed) {
      close()
      return
    }
    this.#pinging = setInterval(() => this.#ping(), PING_INTERVAL_MS).unref()
    this.#socket.once('close', close)
    this.#socket.on('drain', () => listener.onDrain())
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#socket.resume()
  }

  /** False when the other end is behind: then nothing more should be sent before `onDrain`. */
  sendBinary(bytes: Uint8Array): boolean {
    return this.#send(OPCODE.binary, bytes)
  }

  sendText(text: string): boolean {
    return this.#send(OPCODE.text, Buffer.from(text))
  }

  close(code: number, reason: string): void {
    if (!this.isOpen) return
    const payload = Buffer.alloc(2)
    payload.writeUInt16BE(code)
    this.#send(OPCODE.close, Buffer.concat([payload, Buffer.from(reason).subarray(0, REASON_LIMIT)]))
    this.#isClosing = true
    this.#socket.end()
    // Read on, also if nobody listens yet: the other end's closing is the end.
    this.#socket.resume()
    setTimeout(() => this.#socket.destroy(), CLOSE_GRACE_MS).unref()
  }

  /** Without a word: for one that takes none. */
  cutOff(): void {
    this.#isClosing = true
    this.#socket.destroy()
  }

  #send(opcode: number, payload: Uint8Array): boolean {
    return this.isOpen && this.#socket.write(encodeFrame(opcode, payload))
  }

  #ping(): void {
    if (performance.now() - this.#heardAt > SILENCE_MS) {
      this.cutOff()
      return
    }
    this.#send(OPCODE.ping, Buffer.alloc(0))
  }

  #take(chunk: Buffer): void {
    this.#heardAt = performance.now()
    const frames = this.#reader.push(chunk)
    if (!frames.ok) {
      this.close(frames.failure.code, frames.failure.problem)
      return
    }
    for (const frame of frames.value) {
      if (this.isOpen) this.#heed(frame)
    }
  }

  #heed(frame: Frame): void {
    if (frame.opcode === OPCODE.ping) {
      this.#send(OPCODE.pong, frame.payload)
      return
    }
    if (frame.opcode === OPCODE.pong) return
    if (frame.opcode === OPCODE.close) {
      this.close(1000, '')
      return
    }
    this.#gather(frame)
  }

  /** A message may come in several frames; only the first says of what kind it is. */
  #gather(frame: Frame): void {
    const isFirst = frame.opcode !== OPCODE.continuation
    if (isFirst !== (this.#partsOpcode === OPCODE.continuation)) {
      this.close(1002, protocolFault('frames of a message in disorder').problem)
      return
    }
    if (isFirst) this.#partsOpcode = frame.opcode
    this.#parts.push(frame.payload)
    const size = this.#parts.reduce((sum, part) => sum + part.length, 0)
    if (size > MESSAGE_LIMIT || this.#parts.length > 1_000) {
      this.close(1009, `a message of more than ${MESSAGE_LIMIT} bytes`)
      return
    }
    if (!frame.isFinal) return
    const message = Buffer.concat(this.#parts)
    const isText = this.#partsOpcode === OPCODE.text
    this.#parts = []
    this.#partsOpcode = OPCODE.continuation
    if (isText) this.#listener?.onText(message.toString('utf8'))
    else this.#listener?.onBinary(message)
  }
}
