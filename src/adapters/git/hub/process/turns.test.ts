import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** Work that ends when told to. */
function createGate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

describe('createTurns', () => {
  it('starts work of one key only after the work before it, even if that failed', async () => {
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
