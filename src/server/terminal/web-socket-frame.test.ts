import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encodeFrame, FrameReader, OPCODE } from './web-socket-frame.ts'

const LIMIT = 100_000

/** What a client would send: the server's frame with a mask put in. */
function masked(opcode: number, payload: Buffer, isFinal = true): Buffer {
  const plain = encodeFrame(opcode, payload)
  const head = plain.subarray(0, plain.length - payload.length)
  const mask = randomBytes(4)
  head[0] = isFinal ? (head[0] ?? 0) : (head[0] ?? 0) & 0x7f
  head[1] = (head[1] ?? 0) | 0x80
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))])
}

function read(bytes: Buffer, chunkSize = bytes.length) {
  const reader = new FrameReader(LIMIT)
  const frames = []
  for (let start = 0; start < bytes.length; start += chunkSize) {
    const result = reader.push(bytes.subarray(start, start + chunkSize))
    if (!result.ok) return result.failure
    frames.push(...result.value)
  }
  return frames
}

describe('frames of a WebSocket', () => {
  it.each([0, 1, 125, 126, 65_535, 65_536])('carry %i bytes however they are cut', (size) => {
    const payload = randomBytes(size)
    const bytes = Buffer.concat([masked(OPCODE.binary, payload), masked(OPCODE.text, Buffer.from('after'))])
    const expected = [
      { isFinal: true, opcode: OPCODE.binary, payload },
      { isFinal: true, opcode: OPCODE.text, payload: Buffer.from('after') },
    ]
    expect(read(bytes)).toEqual(expected)
    expect(read(bytes, size > 1_000 ? 997 : 1)).toEqual(expected)
  })

  it('are refused when too large, as soon as their head is there', () => {
    const bytes = masked(OPCODE.binary, Buffer.alloc(LIMIT + 1)).subarray(0, 20)
    expect(read(bytes)).toMatchObject({ type: 'frame-fault', code: 1009 })
  })

  it.each([
    ['without a mask', encodeFrame(OPCODE.text, Buffer.from('hello'))],
    ['of an unknown kind', masked(0x3, Buffer.from('hello'))],
    ['with reserved bits', Buffer.from([0xc1, 0x80, 0, 0, 0, 0])],
    ['that are long and for control', masked(OPCODE.ping, Buffer.alloc(126))],
    ['that are for control and in parts', masked(OPCODE.ping, Buffer.from('x'), false)],
  ])('are refused %s', (_what, bytes) => {
    expect(read(bytes)).toMatchObject({ type: 'frame-fault', code: 1002 })
  })
})
