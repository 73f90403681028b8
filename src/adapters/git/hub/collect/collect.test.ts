import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AttemptId } from '../../../../domain/id.ts'
import type { Collected } from '../../../../ports/working-trees.ts'
import {
  commitAll,
  git,
  type HubStage,
  importInto,
  makeRepository,
  newId,
  openStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

type Work = Disposable & {
  readonly stage: HubStage
  readonly base: string
  readonly directory: string
  readonly attemptId: AttemptId
  readonly collect: () => Promise<Collected>
  /** Files of a commit in the hub, NUL kept apart, names as git prints them. */
  readonly filesOf: (commit: string) => readonly string[]
}

async function startWork(files: Readonly<Record<string, string>> = { a: 'a\n', b: 'b\n' }): Promise<Work> {
  const stage = openStage()
  makeRepository(join(stage.root, 'source'), files)
  const base = await importInto(stage, join(stage.root, 'source'))
  const directory = stage.treeAt('tree')
  succeeded(
    await stage.hub.trees.open({ project: stage.project, directory, commit: base, branch: 'muster/t' }),
  )
  const attemptId = newId('attempt')
  const request = { project: stage.project, attemptId, directory, base, message: 'work left uncommitted' }
  return {
    stage,
    base,
    directory,
    attemptId,
    collect: async () => succeeded(await stage.hub.trees.collect(request)),
    filesOf: (commit) => git(stage.hubDirectory, 'ls-tree', '-r', '--name-only', commit).split('\n'),
    [Symbol.dispose]: () => stage[Symbol.dispose](),
  }
}

function pinOf({ stage, attemptId }: Work): string {
  return git(stage.hubDirectory, 'rev-parse', `refs/muster/attempts/${attemptId}`)
}

describe('collecting a tree', () => {
  it('pins the base when nothing was done', async () => {
    using work = await startWork()

    expect(await work.collect()).toEqual({
      tip: work.base,
      committedForAgent: false,
      commits: [],
      files: [],
      committedCopies: [],
      omissions: [],
    })
    expect(pinOf(work)).toBe(work.base)
  })

  it("takes the agent's commits, oldest first", async () => {
    using work = await startWork()
    writeFiles(work.directory, { a: 'one' })
    const first = commitAll(work.directory, 'first')
    writeFiles(work.directory, { 'new/c': 'two' })
    const second = commitAll(work.directory, 'second')

    expect(await work.collect()).toEqual({
      tip: second,
      committedForAgent: false,
      commits: [first, second],
      files: ['a', 'new/c'],
      committedCopies: [],
      omissions: [],
    })
    expect(pinOf(work)).toBe(second)
    await work.stage.hub.trees.remove(work.directory)
    expect(git(work.stage.hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })

  it('commits what was left uncommitted on top of them', async () => {
    using work = await startWork({ a: 'a', gone: 'x', 'script.sh': 'x', '.gitignore': 'ignored\n' })
    writeFiles(work.directory, { a: 'committed' })
    const own = commitAll(work.directory, 'own')
    writeFiles(work.directory, { a: 'not committed', 'new file': 'n', ignored: 'i' })
    unlinkSync(join(work.directory, 'gone'))
    chmodSync(join(work.directory, 'script.sh'), 0o755)
    symlinkSync('a', join(work.directory, 'link'))
    const collected = await work.collect()

    expect(collected).toMatchObject({ committedForAgent: true, omissions: [] })
    expect(collected.commits).toEqual([own, collected.tip])
    expect(collected.files).toEqual(['a', 'gone', 'link', 'new file', 'script.sh'])
    const { hubDirectory } = work.stage
    expect(git(hubDirectory, 'show', `${collected.tip}:a`)).toBe('not committed')
    expect(
      git(hubDirectory, 'ls-tree', collected.tip, 'script.sh', 'link').replaceAll(/ blob .*\t/g, ' '),
    ).toBe('120000 link\n100755 script.sh')
    expect(git(hubDirectory, 'log', '-1', '--format=%an %ae %s', collected.tip)).toBe(
      'Muster muster@localhost work left uncommitted',
    )
    expect(git(hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })

  it('sees a change that keeps size and time of the file as far as anyone can set them', async () => {
    using work = await startWork({ a: 'one\n' })
    execFileSync('sh', [
      '-c',
      'touch -r "$1" "$2/stamp" && printf "two\\n" > "$1" && touch -r "$2/stamp" "$1"',
      'sh',
      join(work.directory, 'a'),
      work.stage.root,
    ])

    expect((await work.collect()).files).toEqual(['a'])
  })

  it.each(['absent', 'cut off', 'not an index'])('works with a saved index that is %s', async (damage) => {
    using work = await startWork()
    const saved = `${work.directory}.index.${work.base}`
    if (damage === 'absent') rmSync(saved)
    else if (damage === 'cut off') truncateSync(saved, 90)
    else writeFileSync(saved, 'DIRT')
    writeFileSync(join(work.directory, 'new'), 'new\n')
    rmSync(join(work.directory, 'b'))

    const { tip, files } = await work.collect()
    expect(files).toEqual(['b', 'new'])
    expect(work.filesOf(tip)).toEqual(['a', 'new'])
  })

  it('gives the same answer when it is asked again, also after the tree is gone', async () => {
    using work = await startWork()
    writeFiles(work.directory, { a: 'one' })
    commitAll(work.directory, 'own')
    writeFiles(work.directory, { a: 'two' })
    const first = await work.collect()
    expect(await work.collect()).toEqual(first)

    await work.stage.hub.trees.remove(work.directory)
    const afterwards = await work.collect()
    expect({ ...afterwards, omissions: [] }).toEqual(first)
    expect(afterwards.omissions).toEqual([expect.stringContaining('collected from it before')])
    expect(pinOf(work)).toBe(first.tip)
  })

  it('pins the base and says so when the tree is gone before it was ever collected', async () => {
    using work = await startWork()
    await work.stage.hub.trees.remove(work.directory)

    expect(await work.collect()).toMatchObject({
      tip: work.base,
      commits: [],
      omissions: [expect.stringContaining('gone')],
    })
    expect(pinOf(work)).toBe(work.base)
  })

  it('leaves no temporary refs or folders in the hub', async () => {
    using work = await startWork()
    writeFiles(work.directory, { a: 'one' })
    commitAll(work.directory, 'own')
    writeFiles(work.directory, { a: 'two' })
    await work.collect()

    expect(readdirSync(join(work.stage.hubDirectory, 'muster'))).toEqual([])
    expect(git(work.stage.hubDirectory, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      `refs/muster/attempts/${work.attemptId}`,
      `refs/muster/base/${work.base}`,
    ])
  })

  it('keeps every byte of file names', async () => {
    using work = await startWork()
    const names = ['line\nbreak', '-dash', ' space ', '"quoted"', ':(exclude)a', '*', 'é', 'back\\slash']
    for (const name of names) writeFileSync(join(work.directory, name), name)
    const odd = Buffer.from([0xff, 0x80, 0x0a])
    writeFileSync(Buffer.concat([Buffer.from(`${work.directory}/`), odd]), 'odd')
    const collected = await work.collect()
    const listed = execFileSync('git', [
      `--git-dir=${work.stage.hubDirectory}`,
      'ls-tree',
      '-z',
      '--name-only',
      collected.tip,
    ])

    const expected = [...names, 'a', 'b'].map((name) => Buffer.from(name).toString('latin1'))
    expect(listed.toString('latin1').split('\0').filter(Boolean).sort()).toEqual(
      [...expected, odd.toString('latin1')].sort(),
    )
    expect(collected.omissions).toEqual([])
  })

  it('takes line ends by the rules of the repository, and everything raw when a declared encoding does not fit', async () => {
    using work = await startWork({ '.gitattributes': '*.bat eol=crlf\n*.u16 working-tree-encoding=UTF-16\n' })
    writeFiles(work.directory, { 'x.bat': 'one\r\n' })
    const clean = await work.collect()
    expect(git(work.stage.hubDirectory, 'cat-file', '-s', `${clean.tip}:x.bat`)).toBe('4')

    writeFileSync(join(work.directory, 'bad.u16'), Buffer.from([0x00, 0xd8, 0x41]))
    const raw = await work.collect()
    expect(raw.omissions[0]).toContain('declared encoding')
    expect(git(work.stage.hubDirectory, 'cat-file', '-s', `${raw.tip}:bad.u16`)).toBe('3')
  })

  it('takes the rest, and says so, when files lie deeper than a path can say', async () => {
    using work = await startWork()
    const dig = 'for i in $(seq 30); do mkdir "$1" && cd -P "$1" || exit 1; done; touch bottom'
    execFileSync('sh', ['-c', dig, 'sh', 'd'.repeat(200)], { cwd: work.directory })
    writeFiles(work.directory, { z: 'taken' })
    const collected = await work.collect()

    expect(collected.files).toEqual(['z'])
    expect(collected.omissions).toEqual([expect.stringMatching(/^could not open directory .{1,300}$/)])
  })

  it('takes along work that shares no history with the base', async () => {
    using work = await startWork()
    git(work.directory, 'checkout', '--quiet', '--orphan', 'fresh')
    writeFiles(work.directory, { a: 'from nothing' })
    const own = commitAll(work.directory, 'fresh start')

    expect(await work.collect()).toMatchObject({ tip: own, commits: [own], files: ['a'] })
  })

  it("finds the agent's commits after gc, on a detached HEAD and on another branch", async () => {
    using work = await startWork()
    git(work.directory, 'checkout', '--quiet', '-b', 'deep/er/branch')
    writeFiles(work.directory, { a: 'one' })
    const own = commitAll(work.directory, 'own')
    git(work.directory, 'gc', '--quiet', '--prune=now')
    expect(existsSync(join(work.directory, '.git/refs/heads/deep/er/branch'))).toBe(false)
    expect((await work.collect()).tip).toBe(own)

    git(work.directory, 'checkout', '--quiet', '--detach')
    const detached = commitAll(work.directory, 'detached')
    expect((await work.collect()).tip).toBe(detached)
  })
})

describe('collecting a tree with nested repositories', () => {
  it('leaves them out, takes the rest and names them', async () => {
    using work = await startWork()
    makeRepository(join(work.directory, 'with-commits'), { x: 'x' })
    mkdirSync(join(work.directory, 'without'))
    git(join(work.directory, 'without'), 'init', '--quiet')
    writeFiles(work.directory, { 'without/file': 'x', z: 'taken' })
    const collected = await work.collect()

    expect(work.filesOf(collected.tip)).toEqual(['a', 'b', 'z'])
    expect(collected.omissions.join('\n')).toContain('with-commits')
    expect(collected.omissions.join('\n')).toContain('without')
  })

  it('keeps submodules of the base where they were, whatever the agent did inside', async () => {
    using stage = openStage()
    const source = join(stage.root, 'source')
    const other = join(stage.root, 'other')
    const pinned = makeRepository(other, { x: 'x' })
    makeRepository(source, { a: 'a' })
    for (const name of ['empty', 'moved', 'removed', 'replaced']) {
      git(source, 'update-index', '--add', '--cacheinfo', `160000,${pinned},${name}`)
    }
    git(source, 'commit', '--quiet', '-m', 'submodules')
    const base = await importInto(stage, source)
    const directory = stage.treeAt('tree')
    succeeded(await stage.hub.trees.open({ project: stage.project, directory, commit: base, branch: 'b' }))
    rmSync(join(directory, 'moved'), { recursive: true })
    git(directory, 'clone', '--quiet', other, 'moved')
    commitAll(join(directory, 'moved'), 'further')
    rmSync(join(directory, 'removed'), { recursive: true })
    writeFiles(directory, { 'replaced/file': 'x' })
    const request = { project: stage.project, attemptId: newId('attempt'), directory, base, message: 'm' }
    const collected = succeeded(await stage.hub.trees.collect(request))

    expect(git(stage.hubDirectory, 'ls-tree', '-r', '--format=%(objectmode) %(path)', collected.tip)).toBe(
      '100644 a\n160000 empty\n160000 moved\n100644 replaced/file',
    )
    expect(git(stage.hubDirectory, 'rev-parse', `${collected.tip}:moved`)).toBe(pinned)
    expect(collected.omissions).toEqual([expect.stringContaining('moved')])
  })
})

describe('collecting from a repository that the agent has broken', () => {
  const breakages: Readonly<Record<string, (directory: string) => void>> = {
    'has no .git': (directory) => rmSync(join(directory, '.git'), { recursive: true }),
    'has a link for .git': (directory) => {
      renameSync(join(directory, '.git'), `${directory}.moved`)
      symlinkSync(`${directory}.moved`, join(directory, '.git'))
    },
    'has a file for .git': (directory) => {
      renameSync(join(directory, '.git'), `${directory}.moved`)
      writeFileSync(join(directory, '.git'), `gitdir: ${directory}.moved\n`)
    },
    'has rubbish for HEAD': (directory) => writeFileSync(join(directory, '.git/HEAD'), 'rubbish'),
    'has a pipe for HEAD': (directory) => {
      rmSync(join(directory, '.git/HEAD'))
      execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(directory, '.git/HEAD')])
    },
    'has a HEAD that leads outside': (directory) =>
      writeFileSync(join(directory, '.git/HEAD'), 'ref: refs/../../../../etc/hostname\n'),
    'has a HEAD that leads to itself': (directory) => {
      writeFileSync(join(directory, '.git/HEAD'), 'ref: refs/heads/muster/t\n')
      writeFileSync(join(directory, '.git/refs/heads/muster/t'), 'ref: refs/heads/muster/t\n')
    },
    'has a HEAD of a commit that is nowhere': (directory) =>
      writeFileSync(join(directory, '.git/HEAD'), `${'1'.repeat(40)}\n`),
    'has a HEAD that is no commit': (directory) =>
      writeFileSync(join(directory, '.git/HEAD'), `${git(directory, 'rev-parse', 'HEAD:a')}\n`),
    'has lost its objects': (directory) => {
      rmSync(join(directory, '.git/objects'), { recursive: true })
      mkdirSync(join(directory, '.git/objects'))
    },
    'borrows from elsewhere': (directory) =>
      writeFileSync(join(directory, '.git/objects/info/alternates'), `${directory}/../elsewhere/objects\n`),
    'has an object with another content than its name says': (directory) => {
      const id = git(directory, 'rev-parse', 'HEAD:a')
      const other = git(directory, 'hash-object', '-w', join(directory, 'b'))
      const path = (object: string) => join(directory, '.git/objects', object.slice(0, 2), object.slice(2))
      chmodSync(path(id), 0o644)
      writeFileSync(path(id), readFileSync(path(other)))
    },
    'has a commit with a .git inside': (directory) => {
      const blob = git(directory, 'rev-parse', 'HEAD:a')
      writeFileSync(
        `${directory}.tree`,
        Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')]),
      )
      const tree = git(directory, 'hash-object', '-w', '-t', 'tree', '--literally', `${directory}.tree`)
      const commit = git(directory, 'commit-tree', tree, '-p', 'HEAD', '-m', 'evil')
      writeFileSync(join(directory, '.git/HEAD'), `${commit}\n`)
    },
  }

  it.each(Object.entries(breakages))('still takes the files when it %s', async (_, breakIt) => {
    using work = await startWork()
    writeFiles(work.directory, { a: 'committed' })
    commitAll(work.directory, 'own')
    writeFiles(work.directory, { b: 'uncommitted' })
    breakIt(work.directory)
    const collected = await work.collect()

    expect(collected.commits).toEqual([collected.tip])
    expect(collected.files).toEqual(['a', 'b'])
    expect(collected.omissions).toEqual([expect.stringContaining("agent's own commits could not be read")])
    expect(git(work.stage.hubDirectory, 'fsck', '--no-dangling')).toBe('')
    expect(git(work.stage.hubDirectory, 'show', `${collected.tip}:b`)).toBe('uncommitted')
  })

  it('is not misled by a forged commit graph', async () => {
    using work = await startWork()
    writeFiles(work.directory, { a: 'committed' })
    const own = commitAll(work.directory, 'own')
    git(work.directory, 'commit-graph', 'write', '--reachable')
    const graph = join(work.directory, '.git/objects/info/commit-graph')
    const bytes = readFileSync(graph)
    const tree = Buffer.from(git(work.directory, 'rev-parse', 'HEAD^{tree}'), 'hex')
    const place = bytes.indexOf(tree)
    expect(place).toBeGreaterThan(0)
    chmodSync(graph, 0o644)
    bytes.set(Buffer.from(git(work.directory, 'rev-parse', `${work.base}^{tree}`), 'hex'), place)
    writeFileSync(graph, bytes)
    const collected = await work.collect()

    expect(collected).toMatchObject({ tip: own, files: ['a'], committedForAgent: false })
    expect(git(work.stage.hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })
})
