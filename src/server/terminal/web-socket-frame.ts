import { failure, type Result, success } from '../../domain/result.ts'

/** The kinds of frames of RFC 6455 that we know. */
export const OPCODE = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const

export type Frame = { readonly isFinal: boolean; readonly opcode: number; readonly payload: Buffer }

/** Why a connection cannot go on, as the code it is closed with. */
export type FrameFault = {
  readonly type: 'frame-fault'
  readonly code: 1002 | 1009
  readonly problem: string
}

type Head = Omit<Frame, 'payload'> & { readonly length: number; readonly bytes: number }

const FINAL = 0x80
const RESERVED = 0x70
const MASKED = 0x80
const MASK_BYTES = 4
const CONTROL_LIMIT = 125
const KNOWN: ReadonlySet<number> = new Set(Object.values(OPCODE))

/** A frame as a server sends it: whole and without a mask. */
export function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const sizeBytes = length <= CONTROL_LIMIT ? 0 : length < 0x1_0000 ? 2 : 8
  const frame = Buffer.allocUnsafe(2 + sizeBytes + length)
  frame[0] = FINAL | opcode
  frame[1] = sizeBytes === 0 ? length : sizeBytes === 2 ? 126 : 127
  if (sizeBytes === 2) frame.writeUInt16BE(length, 2)
  if (sizeBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.set(payload, 2 + sizeBytes)
  return frame
}

/** Cuts what a client sends into frames, and never keeps more than one of them. */
export class FrameReader {
  readonly #limit: number
  #rest: Buffer = Buffer.alloc(0)

  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Uint8Array): Result<readonly Frame[], FrameFault> {
    this.#rest = Buffer.concat([this.#rest, chunk])
    const frames: Frame[] = []
    for (;;) {
      const head = readHead(this.#rest)
      if (head === undefined) return success(frames)
      const fault = this.#faultOf(head)
      if (fault !== undefined) return failure(fault)
      const end = head.bytes + head.length
      if (this.#rest.length < end) return success(frames)
      frames.push({ isFinal: head.isFinal, opcode: head.opcode, payload: unmask(this.#rest, head) })
      this.#rest = this.#rest.subarray(end)
    }
  }

  #faultOf(head: Head): FrameFault | undefined {
    const isControl = head.opcode >= OPCODE.close
    if (!KNOWN.has(head.opcode)) return protocolFault('an unknown kind of frame')
    if (head.bytes === 0) return protocolFault('a frame without a mask or with reserved bits')
    if (isControl && (!head.isFinal || head.length > CONTROL_LIMIT))
      return protocolFault('a long control frame')
    if (head.length <= this.#limit) return undefined
    return { type: 'frame-fault', code: 1009, problem: `a message of more than ${this.#limit} bytes` }
  }
}

export function protocolFault(problem: string): FrameFault {
  return { type: 'frame-fault', code: 1002, problem }
}

/** What comes before the payload; nothing while it is incomplete, and no bytes of it when it is not lawful. */
function readHead(buffer: Buffer): Head | undefined {
  const [first, second] = buffer
  if (first === undefined || second === undefined) return undefined
  const isFinal = (first & FINAL) !== 0
  const opcode = first & 0x0f
  if ((first & RESERVED) !== 0 || (second & MASKED) === 0) return { isFinal, opcode, length: 0, bytes: 0 }
  const short = second & 0x7f
  const sizeBytes = short < 126 ? 0 : short === 126 ? 2 : 8
  const bytes = 2 + sizeBytes + MASK_BYTES
  if (buffer.length < bytes) return undefined
  if (sizeBytes === 0) return { isFinal, opcode, length: short, bytes }
  const length = sizeBytes === 2 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2))
  return { isFinal, opcode, length, bytes }
}

function unmask(buffer: Buffer, head: Head): Buffer {
  const mask = buffer.subarray(head.bytes - MASK_BYTES, head.bytes)
  const payload = Buffer.from(buffer.subarray(head.bytes, head.bytes + head.length))
  for (let index = 0; index < payload.length; index += 1) {
    payload[index] = (payload[index] ?? 0) ^ (mask[index % MASK_BYTES] ?? 0)
  }
  return payload
}
