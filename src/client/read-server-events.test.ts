import { describe, expect, it } from 'vitest'
import { readServerEvents, type ServerEvent } from './read-server-events.ts'

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function read(text: string, size: number): Promise<ServerEvent[]> {
  const found: ServerEvent[] = []
  for await (const message of readServerEvents(inPieces(new TextEncoder().encode(text), size)))
    found.push(message)
  return found
}

describe('reading server-sent events', () => {
  it.each([1, 2, 3, 7, 1000])('gives the same messages for pieces of %i bytes', async (size) => {
    const text =
      ': hello\n\nid: 1\nevent: a\ndata: {"text":"schön 🌳"}\n\n\n\ndata: one\ndata: two\n\nevent: b\nid:2\ndata\n\n'
    expect(await read(text, size)).toEqual([
      { id: '1', event: 'a', data: '{"text":"schön 🌳"}' },
      { data: 'one\ntwo' },
      { id: '2', event: 'b', data: '' },
    ])
  })

  it('does not give a message that was cut off', async () => {
    expect(await read('data: whole\n\nid: 2\ndata: half', 4)).toEqual([{ data: 'whole' }])
    expect(await read('data: half\n', 4)).toEqual([])
  })

  it('gives up on a message without an end', async () => {
    await expect(read('x'.repeat(9 * 1024 * 1024), 1024 * 1024)).rejects.toThrow('no end')
  })
})
