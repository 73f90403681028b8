import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Canary, createCanary, plantPrograms, plantRedirections } from './testing/hostile-repository.ts'
import {
  git,
  importInto,
  makeRepository,
  openProject,
  type ProjectStage,
  succeeded,
  writeFiles,
} from './testing/test-repository.ts'

type Scene = ProjectStage & { readonly canary: Canary }

const ATTRIBUTES = '* filter=x diff=x merge=x\n'
const NESTED = { '.gitattributes': ATTRIBUTES, inner: 'x' }

/** Adds a submodule to the base. */
function addSubmodule(source: string): void {
  const inner = makeRepository(join(source, '..', 'nested'), NESTED)
  git(source, 'update-index', '--add', '--cacheinfo', `160000,${inner},sub`)
  git(source, 'commit', '--quiet', '-m', 'submodule')
}

/** A tree in which an agent has worked honestly so far. */
async function openScene(): Promise<Scene> {
  const files = { a: 'a\n', '.gitattributes': ATTRIBUTES }
  const stage = await openProject(files, { prepare: addSubmodule })
  const directory = await stage.openTree()
  writeFiles(directory, { a: 'changed\n' })
  git(directory, 'commit', '--quiet', '--all', '-m', 'honest')
  writeFiles(directory, { b: 'uncommitted\n' })
  return { ...stage, canary: createCanary(join(stage.root, 'canary')) }
}

/** Puts repositories full of planted programs at the submodule's path, at its commit, and at another path. */
function plantNested({ root, directory, canary }: Scene): void {
  for (const name of ['sub', 'stranger']) {
    cpSync(join(root, 'nested'), join(directory, name), { recursive: true })
    plantPrograms(join(directory, name, '.git'), canary)
    // Newer than its index says, so that git has to read the file.
    writeFileSync(join(directory, name, 'inner'), 'x')
  }
}

async function useEveryMethod(scene: Scene): Promise<readonly string[]> {
  const { hub, project, base, directory, source } = scene
  const collected = await scene.collect()
  const onto = await scene.commit(base, { c: 'c', '.gitattributes': ATTRIBUTES })
  const batch = { onto, tips: [collected.tip], messageOf: () => 'merge' }
  const merged = succeeded(await hub.commits.mergeBatch(project, batch))
  const rival = await scene.commit(base, { a: 'rival\n' })
  const second = { onto: merged.commit, tips: [rival], messageOf: () => 'merge' }
  expect(succeeded(await hub.commits.mergeBatch(project, second)).conflicts).toMatchObject([{ tip: rival }])
  expect(succeeded(await hub.commits.conflictedFiles(project, merged.commit, rival))).toHaveLength(1)
  expect(succeeded(await hub.history.diff(project, base, merged.commit, 10_000)).patch).toContain(
    '+uncommitted',
  )
  expect(await hub.history.mergeBase(project, merged.commit, rival)).toBe(base)
  succeeded(await hub.trees.warm({ project, commit: base, count: 1 }))
  succeeded(await hub.trees.warm({ project, commit: onto, count: 1 }))
  succeeded(await hub.branches.move(project, 'work', merged.commit, await hub.branches.tip(project, 'work')))
  const next = `${directory}-next`
  const copies = { from: directory, paths: ['sub', 'stranger', '.git', 'b'] }
  succeeded(await hub.trees.open({ project, directory: next, commit: merged.commit, branch: 'n', copies }))
  succeeded(await hub.history.overview(project, merged.commit, base))
  expect(await hub.history.readFile(project, merged.commit, 'b')).toBe('uncommitted\n')
  expect(await hub.history.isAncestor(project, base, merged.commit)).toBe(true)
  expect(await hub.history.treeOf(project, merged.commit)).toBe(merged.tree)
  succeeded(await hub.branches.deliver(project, source, 'work'))
  succeeded(await hub.branches.deliver(project, source, 'other', merged.commit))
  const seen = await hub.branches.inspectSource(directory)
  if (seen.ok) await hub.branches.importBase(project, seen.value, undefined)
  await hub.branches.deliver(project, directory, 'work')
  await hub.trees.remove(next)
  await hub.trees.remove(directory)
  return collected.omissions
}

/** Uses git as a person would. Only the programs that it runs matter, not its output. */
function useCarelessly(directory: string): void {
  const commands = [
    ['status'],
    ['add', '--all'],
    ['commit', '-m', 'careless'],
    ['log', '-p'],
    ['diff', 'HEAD~1'],
    ['checkout', '--force', 'HEAD~1'],
    ['muster'],
  ]
  for (const command of commands) {
    spawnSync('git', ['-C', directory, '-c', 'user.name=x', '-c', 'user.email=x', ...command], {
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
    })
  }
}

describe('programs planted by an agent', () => {
  it('run if git is used in the tree, but not when the hub works on it', async () => {
    using scene = await openScene()
    plantPrograms(join(scene.directory, '.git'), scene.canary)
    plantNested(scene)
    const copy = `${scene.directory}-copy`
    cpSync(scene.directory, copy, { recursive: true })
    useCarelessly(copy)
    const fired = ['alias', 'clean', 'fsmonitor', 'hook-pre-commit', 'hook-reference-transaction', 'smudge']
    expect(scene.canary.names()).toEqual(expect.arrayContaining(fired))
    scene.canary.clear()
    const omissions = await useEveryMethod(scene)

    expect(scene.canary.names()).toEqual([])
    expect(omissions).toEqual([])
  })

  it('run from a nested repository if a snapshot is taken carelessly', async () => {
    using scene = await openScene()
    plantNested(scene)
    const own = [`--git-dir=${scene.hubDirectory}`, `--work-tree=${scene.directory}`, '-c', 'core.bare=false']
    const environment = { PATH: process.env['PATH'], GIT_INDEX_FILE: join(scene.root, 'index') }
    for (const command of [
      ['read-tree', scene.base],
      ['add', '--all'],
    ]) {
      const options = { cwd: scene.directory, env: environment }
      spawnSync('git', [...own, '-c', 'core.fsmonitor=false', ...command], options)
    }

    expect(scene.canary.names()).toContain('clean')
  })

  it('do not run if the repository redirects git to other places', async () => {
    using scene = await openScene()
    plantPrograms(join(scene.directory, '.git'), scene.canary)
    plantRedirections(join(scene.directory, '.git'), scene.canary, join(scene.root, 'hubs'))
    await useEveryMethod(scene)

    expect(scene.canary.names()).toEqual([])
  })

  it.each(['symlink', 'gitdir file', 'common directory', 'worktree configuration'])(
    'do not run from a git directory in another place: %s',
    async (kind) => {
      using scene = await openScene()
      const own = join(scene.directory, '.git')
      const elsewhere = join(scene.root, 'elsewhere')
      if (kind === 'symlink' || kind === 'gitdir file') {
        plantPrograms(own, scene.canary)
        renameSync(own, elsewhere)
        if (kind === 'symlink') symlinkSync(elsewhere, own)
        else writeFileSync(own, `gitdir: ${elsewhere}\n`)
      }
      if (kind === 'common directory') {
        cpSync(own, elsewhere, { recursive: true })
        plantPrograms(elsewhere, scene.canary)
        writeFileSync(join(own, 'commondir'), `${elsewhere}\n`)
      }
      if (kind === 'worktree configuration') {
        appendFileSync(
          join(own, 'config'),
          '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tworktreeConfig = true\n',
        )
        mkdirSync(join(scene.root, 'planted'))
        writeFileSync(join(scene.root, 'planted', 'config'), '')
        plantPrograms(join(scene.root, 'planted'), scene.canary)
        cpSync(join(scene.root, 'planted', 'config'), join(own, 'config.worktree'))
      }
      const copy = `${scene.directory}-copy`
      cpSync(scene.directory, copy, { recursive: true, verbatimSymlinks: true })
      useCarelessly(copy)
      expect(scene.canary.names()).toContain('fsmonitor')
      scene.canary.clear()
      await useEveryMethod(scene)

      expect(scene.canary.names()).toEqual([])
    },
  )
})

describe("programs in the person's own repository", () => {
  it('do not run when Muster reads it or delivers to it', async () => {
    using scene = await openScene()
    const friend = join(scene.root, 'friend')
    makeRepository(friend, { f: 'f' })
    // If a repository borrows objects, a fetch runs the configured program to list the lender's refs.
    writeFileSync(join(scene.source, '.git/objects/info/alternates'), `${friend}/.git/objects\n`)
    plantPrograms(join(scene.source, '.git'), scene.canary)
    const copy = join(scene.root, 'copy')
    cpSync(scene.source, copy, { recursive: true })
    succeeded(await scene.hub.branches.move(scene.project, 'control', scene.base, undefined))
    spawnSync('git', ['-C', copy, 'fetch', scene.hubDirectory, 'control:control'], {
      env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    })
    expect(scene.canary.names()).toEqual(expect.arrayContaining(['hook-reference-transaction']))
    scene.canary.clear()

    expect(await importInto(scene, scene.source)).toBe(scene.base)
    await useEveryMethod(scene)
    expect(scene.canary.names()).toEqual([])
  })

  it('do not run if it rewrites URLs', async () => {
    using scene = await openScene()
    plantRedirections(join(scene.source, '.git'), scene.canary, join(scene.root, 'hubs'))
    expect(await importInto(scene, scene.source)).toBe(scene.base)
    await useEveryMethod(scene)

    expect(scene.canary.names()).toEqual([])
    expect(git(scene.source, 'rev-parse', 'work')).toBe(await scene.hub.branches.tip(scene.project, 'work'))
  })
})
