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

describe('readServerEvents', () => {
  it.each([1, 2, 3, 7, 1000])('reads the same messages from chunks of %i bytes', async (size) => {
    const text =
      ': hello\n\nid: 1\nevent: a\ndata: {"text":"schön 🌳"}\n\n\n\ndata: one\ndata: two\n\nevent: b\nid:2\ndata\n\n'
    expect(await read(text, size)).toEqual([
      { id: '1', event: 'a', data: '{"text":"schön 🌳"}' },
      { data: 'one\ntwo' },
      { id: '2', event: 'b', data: '' },
    ])
  })

  it('drops a message that was cut off', async () => {
    expect(await read('data: whole\n\nid: 2\ndata: half', 4)).toEqual([{ data: 'whole' }])
    expect(await read('data: half\n', 4)).toEqual([])
  })

  it.each([
    ['a field', 'data: '],
    ['a name', 'event: '],
  ])('gives up on %s that never ends instead of filling the memory', async (_what, start) => {
    let chunks = 0
    const endless = async function* () {
      yield new TextEncoder().encode(start)
      for (; chunks < 1000; chunks += 1) yield new Uint8Array(1024 * 1024).fill(120)
    }
    const reading = readServerEvents(endless())
    await expect(reading.next()).rejects.toThrow('buffer')
    expect(chunks).toBeLessThan(10)
  })

  it('gives up on a message with endless lines', async () => {
    const line = new TextEncoder().encode(`data: ${'x'.repeat(1024 * 1024)}\n`)
    let chunks = 0
    const endless = async function* () {
      for (; chunks < 1000; chunks += 1) yield line
    }
    await expect(readServerEvents(endless()).next()).rejects.toThrow('buffer')
    expect(chunks).toBeLessThan(10)
  })
})
