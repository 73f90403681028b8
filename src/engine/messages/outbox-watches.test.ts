import { describe, expect, it } from 'vitest'
import { exampleJob, exampleSession } from '../../../test/support/example-records.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { OutboxWatches } from './outbox-watches.ts'

/** Watches whose collections the test ends. */
function gatedWatches() {
  const collections: { readonly sessionId: string; readonly end: () => void; readonly fail: () => void }[] =
    []
  let notify: () => void = () => undefined
  const watches = new OutboxWatches({
    outbox: {
      watch: (_, onChange) => {
        notify = onChange
        return { [Symbol.dispose]: () => undefined }
      },
    },
    log: silentLog,
    outboxOf: () => '/nowhere',
    collect: ({ id: sessionId }) =>
      new Promise<void>((resolve, reject) => {
        collections.push({ sessionId, end: resolve, fail: () => reject(new Error('unreadable')) })
      }),
  })
  return { watches, collections, notify: () => notify() }
}

const session = exampleSession(exampleJob())

describe('the watch of an outbox', () => {
  it('collects once more after a flood of changes, not once for each', async () => {
    const { watches, collections, notify } = gatedWatches()
    watches.adopt(session)
    for (let change = 0; change < 1_000; change += 1) notify()
    const last = watches.collect(session)
    expect(collections).toHaveLength(1)
    collections[0]?.end()
    await expect.poll(() => collections.length).toBe(2)
    collections[1]?.end()
    await last
    expect(collections).toHaveLength(2)
  })

  it('waits for a collection that began after the call', async () => {
    const { watches, collections } = gatedWatches()
    const first = watches.collect(session)
    let isCollected = false
    const second = watches.collect(session).then(() => {
      isCollected = true
    })
    collections[0]?.end()
    await first
    expect(isCollected).toBe(false)
    await expect.poll(() => collections.length).toBe(2)
    collections[1]?.end()
    await second
    expect(collections).toHaveLength(2)
    void watches.collect(session)
    expect(collections).toHaveLength(3)
  })

  it('goes on after an outbox that could not be read, and collects sessions independently', async () => {
    const { watches, collections } = gatedWatches()
    const first = watches.collect(session)
    const second = watches.collect(session)
    const other = exampleSession(exampleJob())
    void watches.collect(other)
    expect(collections.map(({ sessionId }) => sessionId)).toEqual([session.id, other.id])
    collections[0]?.fail()
    await first
    await expect.poll(() => collections.length).toBe(3)
    collections[2]?.end()
    await second
  })
})
