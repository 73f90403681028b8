import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGit, type Git } from '../process/run-git.ts'
import {
  commitAll,
  failed,
  git,
  importInto,
  openProject,
  type ProjectStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'
import { deliverBranch } from './deliver-branch.ts'

type Delivery = ProjectStage & { readonly tip: string }

/** A person's repository, and work on branch `muster/work` in the hub. */
async function openDelivery(...init: readonly string[]): Promise<Delivery> {
  const stage = await openProject({ a: 'a' }, { init })
  const tip = await stage.commit(stage.base, { b: 'b' })
  succeeded(await stage.hub.branches.move(stage.project, 'muster/work', tip, undefined))
  return { ...stage, tip }
}

const deliver = (stage: Delivery, source = stage.source) =>
  stage.hub.branches.deliver(stage.project, source, 'muster/work')

/** A digest of every file, except objects and the delivered branch. */
function fingerprint(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(directory, name)).isFile())
  const others = files.filter((name) => !/\.git\/objects\/|refs\/heads\/muster\//.test(name))
  return Object.fromEntries(
    others.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(directory, name)))
        .digest('hex'),
    ]),
  )
}

describe('delivering a branch', () => {
  it('adds it to the repository and changes nothing else there', async () => {
    using stage = await openDelivery()
    writeFileSync(join(stage.source, '.git', 'FETCH_HEAD'), 'what they fetched last\n')
    writeFiles(stage.source, { a: 'in work', untracked: 'x' })
    const before = fingerprint(stage.source)
    expect(Object.keys(before)).toContain('.git/FETCH_HEAD')
    succeeded(await deliver(stage))

    expect(fingerprint(stage.source)).toEqual(before)
    expect(git(stage.source, 'rev-parse', 'muster/work')).toBe(stage.tip)
    expect(git(stage.source, 'show', 'muster/work:b')).toBe('b')
    expect(git(stage.source, 'fsck')).toBe('')
  })

  it('fast-forwards the branch and succeeds if there is nothing new', async () => {
    using stage = await openDelivery()
    succeeded(await deliver(stage))
    succeeded(await deliver(stage))
    const next = await stage.commit(stage.tip, { c: 'c' })
    succeeded(await stage.hub.branches.move(stage.project, 'muster/work', next, stage.tip))
    succeeded(await deliver(stage))
    expect(git(stage.source, 'rev-parse', 'muster/work')).toBe(next)

    git(stage.source, 'checkout', '--quiet', 'muster/work')
    const own = commitAll(stage.source, 'the person continues')
    succeeded(await deliver(stage))
    expect(git(stage.source, 'rev-parse', 'muster/work')).toBe(own)
  })

  it('moves the branch only from the expected commit, and succeeds when repeated', async () => {
    using stage = await openDelivery()
    const { hub, project, source, base, tip } = stage
    git(source, 'checkout', '--quiet', '--detach')
    const deliverOnto = (expected: string) => hub.branches.deliver(project, source, 'main', tip, expected)
    const older = git(source, 'commit-tree', '-m', 'older', `${base}^{tree}`)
    expect(failed(await deliverOnto(older))).toEqual({ type: 'branch-diverged', branch: 'main' })
    expect(git(source, 'rev-parse', 'main')).toBe(base)
    git(source, 'branch', '--quiet', '-D', 'main')
    expect(failed(await deliverOnto(base))).toEqual({ type: 'branch-diverged', branch: 'main' })
    expect(git(source, 'for-each-ref', 'refs/heads/main')).toBe('')

    git(source, 'branch', 'main', base)
    succeeded(await deliverOnto(base))
    succeeded(await deliverOnto(base))
    expect(git(source, 'rev-parse', 'main')).toBe(tip)
  })

  it('does not bring back commits that the person has removed', async () => {
    using stage = await openDelivery()
    const { hub, project, source, base } = stage
    const removed = commitAll(source, 'to be removed')
    await importInto(stage, source)
    const merged = await stage.commit(removed, { c: 'c' })
    git(source, 'reset', '--quiet', '--hard', base)
    git(source, 'checkout', '--quiet', '--detach')
    const delivered = await hub.branches.deliver(project, source, 'main', merged, removed)
    expect(failed(delivered)).toEqual({ type: 'branch-diverged', branch: 'main' })
    expect(git(source, 'rev-parse', 'main')).toBe(base)
  })

  it('fails if another process moves the branch at the same moment', async () => {
    using stage = await openDelivery()
    const { source, base, tip, hubDirectory } = stage
    const run = createGit({ gitConfigFile: join(stage.root, 'gitconfig') })
    const racing: Git = async (call) => {
      if (call.arguments[0] === 'update-ref') git(source, 'branch', 'muster/work', base)
      return await run(call)
    }
    const request = { source, branch: 'muster/work', commit: tip, expected: undefined }
    const delivered = await deliverBranch({ git: racing }, hubDirectory, request)
    expect(failed(delivered)).toEqual({ type: 'branch-diverged', branch: 'muster/work' })
    expect(git(source, 'rev-parse', 'muster/work')).toBe(base)
  })

  it('delivers a given commit as any branch', async () => {
    using stage = await openDelivery()
    const next = await stage.commit(stage.tip, { c: 'c' })
    for (const branch of ['muster/work', 'muster/other']) {
      succeeded(await stage.hub.branches.deliver(stage.project, stage.source, branch, next))
      expect(git(stage.source, 'rev-parse', branch)).toBe(next)
    }
    const tree = git(stage.hubDirectory, 'rev-parse', `${next}^{tree}`)
    for (const wrong of ['1'.repeat(40), tree, '--help', 'muster/work']) {
      const delivered = await stage.hub.branches.deliver(stage.project, stage.source, 'muster/other', wrong)
      expect(failed(delivered), wrong).toMatchObject({ type: 'delivery-failed' })
    }

    expect(git(stage.source, 'rev-parse', 'muster/other')).toBe(next)
    expect(await stage.hub.branches.tip(stage.project, 'muster/work')).toBe(stage.tip)
    expect(git(stage.source, 'fsck')).toBe('')
  })

  it("never overwrites the person's commits", async () => {
    using stage = await openDelivery()
    git(stage.source, 'checkout', '--quiet', '-b', 'muster/work')
    const own = commitAll(stage.source, 'my own')
    git(stage.source, 'checkout', '--quiet', 'main')

    expect(failed(await deliver(stage))).toEqual({ type: 'branch-diverged', branch: 'muster/work' })
    expect(git(stage.source, 'rev-parse', 'muster/work')).toBe(own)
  })

  it('does not move a branch that a checkout, a linked worktree or a rebase uses', async () => {
    using stage = await openDelivery()
    const refused = (at: string) => ({ type: 'branch-checked-out', branch: 'muster/work', at })
    git(stage.source, 'checkout', '--quiet', '-b', 'muster/work')
    expect(failed(await deliver(stage))).toEqual(refused(stage.source))

    git(stage.source, 'checkout', '--quiet', 'main')
    const linked = join(stage.root, 'linked')
    git(stage.source, 'worktree', 'add', '--quiet', linked, 'muster/work')
    expect(failed(await deliver(stage))).toEqual(refused(linked))
    expect(failed(await deliver(stage, linked))).toEqual(refused(linked))

    git(linked, 'checkout', '--quiet', '--detach')
    writeFiles(join(stage.source, '.git/worktrees/linked'), {
      'rebase-merge/head-name': 'refs/heads/muster/work\n',
    })
    expect(failed(await deliver(stage))).toEqual(refused(linked))
    expect(git(stage.source, 'rev-parse', 'muster/work')).toBe(stage.base)
  })

  it('works with bare repositories, linked worktrees, shallow clones and other object formats', async () => {
    using stage = await openDelivery()
    const bare = join(stage.root, 'bare.git')
    git(stage.root, 'clone', '--quiet', '--bare', stage.source, bare)
    const linked = join(stage.root, 'linked')
    git(stage.source, 'worktree', 'add', '--quiet', '--detach', linked)
    const shallow = join(stage.root, 'shallow')
    commitAll(stage.source, 'second')
    git(stage.root, 'clone', '--quiet', '--depth=1', `file://${stage.source}`, shallow)
    for (const place of [bare, linked]) {
      succeeded(await deliver(stage, place))
      expect(git(place, 'rev-parse', 'muster/work')).toBe(stage.tip)
    }
    await deliver(stage, shallow)
    expect(git(shallow, 'fsck')).toBe('')

    using other = await openDelivery('--object-format=sha256')
    succeeded(await deliver(other))
    expect(git(other.source, 'rev-parse', 'muster/work')).toBe(other.tip)
  })

  it('copies only new objects', async () => {
    using stage = await openDelivery()
    const before = git(stage.source, 'count-objects')
    succeeded(await deliver(stage))

    expect(before).toMatch(/^3 objects/)
    expect(git(stage.source, 'count-objects')).toMatch(/^6 objects/)
  })

  it('describes the problem if it fails', async () => {
    using stage = await openDelivery()
    const { hub, project, source } = stage
    const nowhere = failed(await deliver(stage, join(stage.root, 'nowhere')))
    expect(nowhere).toEqual({ type: 'repository-moved', path: join(stage.root, 'nowhere') })
    expect(failed(await hub.branches.deliver(project, source, 'absent'))).toMatchObject({
      type: 'delivery-failed',
      problem: 'the hub has no such branch',
    })
    expect(failed(await hub.branches.deliver(project, source, '--force')).type).toBe('delivery-failed')
    git(source, 'branch', 'muster')
    expect(failed(await deliver(stage))).toMatchObject({
      type: 'delivery-failed',
      problem: expect.stringContaining("'refs/heads/muster' exists"),
    })
  })

  it("does not remove the person's lock", async () => {
    using stage = await openDelivery()
    const lock = join(stage.source, '.git/refs/heads/muster/work.lock')
    writeFiles(stage.source, { '.git/refs/heads/muster/work.lock': '' })

    expect(failed(await deliver(stage))).toMatchObject({ type: 'delivery-failed' })
    expect(existsSync(lock)).toBe(true)
  })
})
