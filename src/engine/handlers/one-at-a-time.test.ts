import { describe, expect, it } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

/** A handler whose runs the test ends. */
function gatedHandler() {
  const runs: { readonly item: string; readonly end: () => void; readonly fail: () => void }[] = []
  const handle = oneAtATime(
    (item: string) => item,
    (item) =>
      new Promise<void>((resolve, reject) => {
        runs.push({ item, end: resolve, fail: () => reject(new Error('failed')) })
      }),
  )
  return { runs, handle }
}

describe('one handler at a time', () => {
  it('runs an item once more if it is sent again during its run, no matter how often', async () => {
    const { runs, handle } = gatedHandler()
    const first = handle('a')
    await Promise.all([handle('a'), handle('a')])
    expect(runs).toHaveLength(1)
    runs[0]?.end()
    await Promise.resolve()
    await Promise.resolve()
    expect(runs).toHaveLength(2)
    runs[1]?.end()
    await first
    expect(runs).toHaveLength(2)
  })

  it('runs different items at the same time', () => {
    const { runs, handle } = gatedHandler()
    void handle('a')
    void handle('b')
    expect(runs.map(({ item }) => item)).toEqual(['a', 'b'])
  })

  it('fails if its run fails, and can run again afterwards', async () => {
    const { runs, handle } = gatedHandler()
    const first = handle('a')
    await handle('a')
    runs[0]?.fail()
    await expect(first).rejects.toThrow('failed')
    void handle('a')
    expect(runs).toHaveLength(2)
  })
})
