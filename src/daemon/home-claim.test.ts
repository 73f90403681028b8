import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { HomeClaim } from './home-claim.ts'
import { openHome } from './home-files.ts'

async function claimed(directory: string): Promise<HomeClaim> {
  const claim = HomeClaim.take(await openHome(directory))
  if (claim === undefined) throw new Error('the home is taken')
  return claim
}

const lossOf = (claim: HomeClaim) => new Promise<void>((resolve) => claim.watch(resolve))

describe('the claim to a home', () => {
  it('keeps a second daemon out', async () => {
    await using directory = await temporaryDirectory('muster-claim')
    using claim = await claimed(directory.path)
    expect(claim.isOurs()).toBe(true)
    expect(HomeClaim.take(await openHome(directory.path))).toBeUndefined()
  })

  it('is lost when the home is deleted, and stays lost when a new one takes its place', async () => {
    await using directory = await temporaryDirectory('muster-claim')
    const home = join(directory.path, 'home')
    using claim = await claimed(home)
    const lost = lossOf(claim)
    await rm(home, { recursive: true })
    await lost
    expect(claim.isOurs()).toBe(false)
    using next = await claimed(home)
    expect(next.isOurs()).toBe(true)
    expect(() => claim.require()).toThrow('no longer belongs to this daemon')
  })

  it('is lost when the home is moved', async () => {
    await using directory = await temporaryDirectory('muster-claim')
    const home = join(directory.path, 'home')
    using claim = await claimed(home)
    const lost = lossOf(claim)
    await rename(home, `${home}-aside`)
    await lost
    expect(claim.isOurs()).toBe(false)
  })

  it('is lost as soon as one of its folders is gone, as in the middle of a deletion', async () => {
    await using directory = await temporaryDirectory('muster-claim')
    using claim = await claimed(directory.path)
    const lost = lossOf(claim)
    await mkdir(join(directory.path, 'something-else'))
    await rm(join(directory.path, 'trees'), { recursive: true })
    await lost
    expect(claim.isOurs()).toBe(true)
  })
})
