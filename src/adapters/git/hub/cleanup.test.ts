import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ageObjects } from '../../../../test/support/age-objects.ts'
import { git, newId, openProject, succeeded, writeFiles } from './testing/test-repository.ts'

/** A project with the pinned work of one attempt. */
async function withPin() {
  const stage = await openProject()
  writeFiles(await stage.openTree(), { b: 'b\n' })
  const { tip } = await stage.collect()
  return { stage, tip }
}

describe('pins', () => {
  it('are listed newest first, and removed by the id of what they keep', async () => {
    const { stage, tip } = await withPin()
    using _ = stage
    const { hub, project, attemptId, base } = stage
    const older = `att_000000001${'0'.repeat(11)}` as typeof attemptId
    git(stage.hubDirectory, 'update-ref', `refs/muster/attempts/${older}`, base)
    expect(succeeded(await hub.pins.list(project))).toEqual([
      { id: attemptId, commit: tip },
      { id: older, commit: base },
    ])
    succeeded(await hub.pins.remove(project, [attemptId, newId('attempt')]))
    succeeded(await hub.pins.remove(project, [attemptId]))
    expect(succeeded(await hub.pins.list(project))).toEqual([{ id: older, commit: base }])
    expect(git(stage.hubDirectory, 'cat-file', '-t', tip).trim()).toBe('commit')
  })

  it('do not exist without a hub', async () => {
    using stage = await openProject()
    rmSync(stage.hubDirectory, { recursive: true })
    expect(succeeded(await stage.hub.pins.list(stage.project))).toEqual([])
    succeeded(await stage.hub.pins.remove(stage.project, [stage.attemptId]))
    succeeded(await stage.hub.branches.drop(stage.project, 'muster/job'))
    expect(existsSync(stage.hubDirectory)).toBe(false)
  })
})

describe("commits in the person's repository", () => {
  it('are found in any branch or tag, except in the one that does not count', async () => {
    const { stage, tip } = await withPin()
    using _ = stage
    const { hub, source, base, project } = stage
    const contained = async (except?: string) => [
      ...(await hub.branches.findContained(source, [tip, base, 'nonsense'], except)),
    ]
    expect(await contained()).toEqual([base])
    succeeded(await hub.branches.deliver(project, source, 'muster/job', tip))
    expect(await contained()).toEqual([tip, base])
    expect(await contained('muster/job')).toEqual([base])
    git(source, 'tag', 'kept', tip)
    expect(await contained('muster/job')).toEqual([tip, base])
    expect(await hub.branches.findContained(join(stage.root, 'nowhere'), [base])).toEqual(new Set())
  })
})

describe("a branch of the person's repository", () => {
  it('can be removed where Muster left it, once, and only there', async () => {
    const { stage, tip } = await withPin()
    using _ = stage
    const { hub, source, base, project } = stage
    const branch = 'muster/job'
    succeeded(await hub.branches.deliver(project, source, branch, tip))
    expect(await hub.branches.tipIn(source, branch)).toBe(tip)
    expect(succeeded(await hub.branches.findRemovable(source, branch, tip))).toBe(tip)
    expect(await hub.branches.removeFrom(source, branch, base)).toMatchObject({
      ok: false,
      failure: { type: 'branch-diverged' },
    })
    succeeded(await hub.branches.removeFrom(source, branch, tip))
    succeeded(await hub.branches.removeFrom(source, branch, tip))
    expect(await hub.branches.tipIn(source, branch)).toBeUndefined()
    expect(succeeded(await hub.branches.findRemovable(source, branch, tip))).toBeUndefined()
  })

  it('is kept while it is checked out', async () => {
    const { stage, tip } = await withPin()
    using _ = stage
    const { hub, source, project } = stage
    succeeded(await hub.branches.deliver(project, source, 'muster/job', tip))
    git(source, 'switch', '--quiet', 'muster/job')
    const kept = { ok: false, failure: { type: 'branch-checked-out' } }
    expect(await hub.branches.findRemovable(source, 'muster/job', tip)).toMatchObject(kept)
    expect(await hub.branches.removeFrom(source, 'muster/job', tip)).toMatchObject(kept)
  })

  it('is kept if it has commits that no other branch has', async () => {
    const { stage, tip } = await withPin()
    using _ = stage
    const { hub, source, project, base } = stage
    succeeded(await hub.branches.deliver(project, source, 'muster/job', tip))
    const removable = () => hub.branches.findRemovable(source, 'muster/job', base)
    expect(await removable()).toMatchObject({ ok: false, failure: { type: 'branch-diverged' } })
    git(source, 'branch', 'merged', tip)
    expect(succeeded(await removable())).toBe(tip)
  })
})

describe('compacting a hub', () => {
  const exists = (hub: string, commit: string) => {
    try {
      git(hub, 'cat-file', '-e', commit)
      return true
    } catch {
      return false
    }
  }

  it('drops old objects that nothing names, and keeps pins, needed commits and young objects', async () => {
    const { stage, tip } = await withPin()
    using _ = stage
    const { hub, project, base, hubDirectory } = stage
    const needed = await stage.commit(base, { needed: 'n\n' })
    const dropped = await stage.commit(base, { dropped: randomBytes(9_000).toString('hex') })
    ageObjects(hubDirectory)
    const young = await stage.commit(base, { young: 'y\n' })
    expect(succeeded(await hub.upkeep.measure(project, [needed]))).toBeGreaterThan(9_000)

    const missing = 'f'.repeat(40)
    expect(succeeded(await hub.upkeep.compact(project, [needed, missing], async () => false))).toBe(undefined)
    expect(exists(hubDirectory, dropped)).toBe(true)
    expect(succeeded(await hub.upkeep.compact(project, [needed, missing], async () => true))).toBeGreaterThan(
      9_000,
    )
    expect([tip, base, needed, young, dropped].map((commit) => exists(hubDirectory, commit))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    expect(succeeded(await hub.upkeep.measure(project, [needed]))).toBe(0)
    expect(await hub.copies.check(project)).toEqual({ type: 'intact' })
    expect(git(hubDirectory, 'for-each-ref', 'refs/muster/needed')).toBe('')
    expect(await stage.openTree({ directory: stage.treeAt('next') })).toBeDefined()
  })

  it('has nothing to measure without a hub', async () => {
    using stage = await openProject()
    rmSync(stage.hubDirectory, { recursive: true })
    expect(succeeded(await stage.hub.upkeep.measure(stage.project, []))).toBe(0)
  })
})
