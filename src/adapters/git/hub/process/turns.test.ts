import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** A promise that resolves when `open` is called. */
function createGate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

describe('createTurns', () => {
  it('starts work only after earlier work with the same key, even if that failed', async () => {
    const inTurn = createTurns()
    const gate = createGate()
    const order: string[] = []
    const first = inTurn('a', async () => {
      await gate.opened
      order.push('first')
      throw new Error('no')
    })
    const second = inTurn('a', async () => order.push('second'))
    const other = inTurn('b', async () => order.push('other'))

    await other
    expect(order).toEqual(['other'])
    gate.open()
    await expect(first).rejects.toThrow('no')
    await second
    expect(order).toEqual(['other', 'first', 'second'])
  })
})
