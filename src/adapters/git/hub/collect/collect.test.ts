import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  commitAll,
  git,
  makeRepository,
  openProject,
  type ProjectStage,
  writeFiles,
} from '../testing/test-repository.ts'

async function startWork(
  files: Readonly<Record<string, string>> = { a: 'a\n', b: 'b\n' },
): Promise<ProjectStage> {
  const stage = await openProject(files)
  await stage.openTree()
  return stage
}

function filesOf({ hubDirectory }: ProjectStage, commit: string): readonly string[] {
  return git(hubDirectory, 'ls-tree', '-r', '--name-only', commit).split('\n')
}

function pinOf({ hubDirectory, attemptId }: ProjectStage): string {
  return git(hubDirectory, 'rev-parse', `refs/muster/attempts/${attemptId}`)
}

describe('a snapshot of a tree in which an agent works', () => {
  it('has what is committed and what is not, pins nothing, and leaves the tree as it is', async () => {
    using work = await startWork({ a: 'a\n', b: 'b\n', '.gitignore': 'out\n' })
    const { hub, project, directory, base, hubDirectory } = work
    writeFiles(directory, { a: 'one\n' })
    commitAll(directory, 'first')
    writeFiles(directory, { b: 'two\n', new: 'new\n', out: 'out\n', closed: 'closed\n', copied: 'copied\n' })
    chmodSync(join(directory, 'closed'), 0o200)
    const before = [git(directory, 'status', '--porcelain'), git(hubDirectory, 'for-each-ref')]
    const request = { project, directory, base, exclude: ['copied'] }
    // Whoever asks at the same time gets the same answer.
    const [taken, same] = await Promise.all([hub.trees.snapshot(request), hub.trees.snapshot(request)])
    expect(same).toBe(taken)
    if (!taken.ok) throw new Error(JSON.stringify(taken.failure))
    const diff = await hub.history.diff(project, base, taken.value, 100_000)
    expect(diff.ok && diff.value.files.map(({ path }) => path)).toEqual(
      // Root can read everything.
      process.getuid?.() === 0 ? ['a', 'b', 'closed', 'new'] : ['a', 'b', 'new'],
    )
    expect(statSync(join(directory, 'closed')).mode & 0o777).toBe(0o200)
    expect([git(directory, 'status', '--porcelain'), git(hubDirectory, 'for-each-ref')]).toEqual(before)
  })

  it('is refused if there is something that git would wait for, which stays', async () => {
    using work = await startWork()
    const { hub, project, directory, base } = work
    execFileSync('mkfifo', [join(directory, '.gitattributes')])
    expect(await hub.trees.snapshot({ project, directory, base })).toMatchObject({
      failure: { problem: expect.stringContaining('pipe') },
    })
    expect(existsSync(join(directory, '.gitattributes'))).toBe(true)
  })

  it('is refused if its changed files are very large', async () => {
    using work = await startWork()
    const { hub, project, directory, base } = work
    writeFiles(directory, { huge: '' })
    truncateSync(join(directory, 'huge'), 300 * 1024 * 1024)
    expect(await hub.trees.snapshot({ project, directory, base })).toMatchObject({
      failure: { problem: expect.stringContaining('more than 256 MB') },
    })
  })
})

describe('collecting a tree', () => {
  it('pins the base if nothing was done', async () => {
    using work = await startWork()

    expect(await work.collect()).toEqual({
      type: 'usable',
      tip: work.base,
      committedForAgent: false,
      commits: [],
      files: [],
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
      type: 'usable',
      tip: second,
      committedForAgent: false,
      commits: [first, second],
      files: ['a', 'new/c'],
      omissions: [],
    })
    expect(pinOf(work)).toBe(second)
    await work.hub.trees.remove(work.directory)
    expect(git(work.hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })

  it('adds a commit with everything that was left uncommitted', async () => {
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
    const { hubDirectory } = work
    expect(git(hubDirectory, 'show', `${collected.tip}:a`)).toBe('not committed')
    expect(
      git(hubDirectory, 'ls-tree', collected.tip, 'script.sh', 'link').replaceAll(/ blob .*\t/g, ' '),
    ).toBe('120000 link\n100755 script.sh')
    expect(git(hubDirectory, 'log', '-1', '--format=%an %ae %s', collected.tip)).toBe(
      'Muster muster@localhost left uncommitted',
    )
    expect(git(hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })

  it('sees a change that keeps the size and the time of a file', async () => {
    using work = await startWork({ a: 'one\n' })
    execFileSync('sh', [
      '-c',
      'touch -r "$1" "$2/stamp" && printf "two\\n" > "$1" && touch -r "$2/stamp" "$1"',
      'sh',
      join(work.directory, 'a'),
      work.root,
    ])

    expect((await work.collect()).files).toEqual(['a'])
  })

  it.each(['absent', 'cut off', 'not an index'])('works if the saved index is %s', async (damage) => {
    using work = await startWork()
    const saved = `${work.directory}.index.${work.base}`
    if (damage === 'absent') rmSync(saved)
    else if (damage === 'cut off') truncateSync(saved, 90)
    else writeFileSync(saved, 'DIRT')
    writeFileSync(join(work.directory, 'new'), 'new\n')
    rmSync(join(work.directory, 'b'))

    const { tip, files } = await work.collect()
    expect(files).toEqual(['b', 'new'])
    expect(filesOf(work, tip)).toEqual(['a', 'new'])
  })

  it('returns the same result when repeated, even after the tree was removed', async () => {
    using work = await startWork()
    writeFiles(work.directory, { a: 'one' })
    commitAll(work.directory, 'own')
    writeFiles(work.directory, { a: 'two' })
    const first = await work.collect()
    expect(await work.collect()).toEqual(first)

    await work.hub.trees.remove(work.directory)
    const afterwards = await work.collect()
    expect({ ...afterwards, omissions: [] }).toEqual(first)
    expect(afterwards.omissions).toEqual([expect.stringContaining('collected from it earlier')])
    expect(pinOf(work)).toBe(first.tip)
  })

  it('pins the base and reports an omission if the tree was removed first', async () => {
    using work = await startWork()
    await work.hub.trees.remove(work.directory)

    expect(await work.collect()).toMatchObject({
      tip: work.base,
      commits: [],
      omissions: [expect.stringContaining('removed')],
    })
    expect(pinOf(work)).toBe(work.base)
  })

  it('leaves no temporary refs or folders in the hub', async () => {
    using work = await startWork()
    writeFiles(work.directory, { a: 'one' })
    commitAll(work.directory, 'own')
    writeFiles(work.directory, { a: 'two' })
    await work.collect()

    expect(readdirSync(join(work.hubDirectory, 'muster'))).toEqual([])
    expect(git(work.hubDirectory, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
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
      `--git-dir=${work.hubDirectory}`,
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

  it('converts line endings, but converts nothing if a file does not match its declared encoding', async () => {
    using work = await startWork({ '.gitattributes': '*.bat eol=crlf\n*.u16 working-tree-encoding=UTF-16\n' })
    writeFiles(work.directory, { 'x.bat': 'one\r\n' })
    const clean = await work.collect()
    expect(git(work.hubDirectory, 'cat-file', '-s', `${clean.tip}:x.bat`)).toBe('4')

    writeFileSync(join(work.directory, 'bad.u16'), Buffer.from([0x00, 0xd8, 0x41]))
    const raw = await work.collect()
    expect(raw.omissions[0]).toContain('declared encoding')
    expect(git(work.hubDirectory, 'cat-file', '-s', `${raw.tip}:bad.u16`)).toBe('3')
  })

  it('takes the rest and reports an omission if a path is too long', async () => {
    using work = await startWork()
    const dig = 'for i in $(seq 30); do mkdir "$1" && cd -P "$1" || exit 1; done; touch bottom'
    execFileSync('sh', ['-c', dig, 'sh', 'd'.repeat(200)], { cwd: work.directory })
    writeFiles(work.directory, { z: 'taken' })
    const collected = await work.collect()

    expect(collected.files).toEqual(['z'])
    expect(collected.omissions).toEqual([expect.stringMatching(/^could not open directory .{1,300}$/)])
  })

  it('takes work that shares no history with the base', async () => {
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
  it('takes their files as plain files, with and without commits, at any depth', async () => {
    using work = await startWork()
    makeRepository(join(work.directory, 'with-commits'), { x: 'x', '.gitignore': 'ignored\n', ignored: 'x' })
    makeRepository(join(work.directory, 'with-commits/deep'), { y: 'y' })
    mkdirSync(join(work.directory, 'without/deeper'), { recursive: true })
    git(join(work.directory, 'without'), 'init', '--quiet')
    git(join(work.directory, 'without/deeper'), 'init', '--quiet')
    mkdirSync(join(work.directory, 'empty'))
    git(join(work.directory, 'empty'), 'init', '--quiet')
    writeFiles(work.directory, { 'without/file': 'x', 'without/deeper/file': 'x', z: 'taken' })
    const collected = await work.collect()

    expect(filesOf(work, collected.tip)).toEqual([
      'a',
      'b',
      'with-commits/.gitignore',
      'with-commits/deep/y',
      'with-commits/x',
      'without/deeper/file',
      'without/file',
      'z',
    ])
    expect(collected.omissions).toEqual([])
    await work.hub.trees.remove(work.directory)
    expect(git(work.hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })

  it('replaces an entry that the agent committed and that points to nowhere', async () => {
    using work = await startWork()
    makeRepository(join(work.directory, 'cloned'), { 'src/x': 'x' })
    const own = commitAll(work.directory, 'with a nested repository')
    expect(git(work.directory, 'ls-tree', '--format=%(objectmode)', own, 'cloned')).toBe('160000')
    const collected = await work.collect()

    expect(filesOf(work, collected.tip)).toEqual(['a', 'b', 'cloned/src/x'])
    expect(collected.files).toEqual(['cloned/src/x'])
    expect(collected.commits).toHaveLength(2)
  })

  it('never follows a link that replaced the folder of a committed entry', async () => {
    using work = await startWork()
    makeRepository(join(work.root, 'outside'), { secret: 'x' })
    makeRepository(join(work.directory, 'cloned'), { x: 'x' })
    commitAll(work.directory, 'with a nested repository')
    rmSync(join(work.directory, 'cloned'), { recursive: true })
    symlinkSync(join(work.root, 'outside'), join(work.directory, 'cloned'))
    const collected = await work.collect()

    expect(git(work.hubDirectory, 'ls-tree', '-r', '--format=%(objectmode) %(path)', collected.tip)).toBe(
      '100644 a\n100644 b\n120000 cloned',
    )
  })

  it('keeps a submodule that the agent has declared', async () => {
    using work = await startWork()
    const commit = makeRepository(join(work.directory, 'lib'), { x: 'x' })
    writeFiles(work.directory, {
      '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = https://example.org/lib.git\n',
    })
    const collected = await work.collect()

    expect(git(work.hubDirectory, 'rev-parse', `${collected.tip}:lib`)).toBe(commit)
  })

  it('keeps submodules at their commit, whatever the agent did inside', async () => {
    let pinned = ''
    using stage = await openProject(
      { a: 'a' },
      {
        prepare: (source) => {
          pinned = makeRepository(join(source, '..', 'other'), { x: 'x' })
          for (const name of ['empty', 'moved', 'removed', 'replaced']) {
            git(source, 'update-index', '--add', '--cacheinfo', `160000,${pinned},${name}`)
          }
          git(source, 'commit', '--quiet', '-m', 'submodules')
        },
      },
    )
    const directory = await stage.openTree()
    rmSync(join(directory, 'moved'), { recursive: true })
    git(directory, 'clone', '--quiet', join(stage.root, 'other'), 'moved')
    commitAll(join(directory, 'moved'), 'further')
    rmSync(join(directory, 'removed'), { recursive: true })
    writeFiles(directory, { 'replaced/file': 'x' })
    const collected = await stage.collect()

    expect(git(stage.hubDirectory, 'ls-tree', '-r', '--format=%(objectmode) %(path)', collected.tip)).toBe(
      '100644 a\n160000 empty\n160000 moved\n100644 replaced/file',
    )
    expect(git(stage.hubDirectory, 'rev-parse', `${collected.tip}:moved`)).toBe(pinned)
    expect(collected.omissions).toEqual([expect.stringContaining('moved')])
  })
})

describe('collecting from a repository that the agent broke', () => {
  const breakages: Readonly<Record<string, (directory: string) => void>> = {
    'has no .git': (directory) => rmSync(join(directory, '.git'), { recursive: true }),
    'has a link as .git': (directory) => {
      renameSync(join(directory, '.git'), `${directory}.moved`)
      symlinkSync(`${directory}.moved`, join(directory, '.git'))
    },
    'has a file as .git': (directory) => {
      renameSync(join(directory, '.git'), `${directory}.moved`)
      writeFileSync(join(directory, '.git'), `gitdir: ${directory}.moved\n`)
    },
    'has garbage in HEAD': (directory) => writeFileSync(join(directory, '.git/HEAD'), 'garbage'),
    'has a pipe as HEAD': (directory) => {
      rmSync(join(directory, '.git/HEAD'))
      execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(directory, '.git/HEAD')])
    },
    'has a HEAD that points outside': (directory) =>
      writeFileSync(join(directory, '.git/HEAD'), 'ref: refs/../../../../etc/hostname\n'),
    'has a HEAD that points to itself': (directory) => {
      writeFileSync(join(directory, '.git/HEAD'), 'ref: refs/heads/muster/task\n')
      writeFileSync(join(directory, '.git/refs/heads/muster/task'), 'ref: refs/heads/muster/task\n')
    },
    'has a HEAD with a commit that does not exist': (directory) =>
      writeFileSync(join(directory, '.git/HEAD'), `${'1'.repeat(40)}\n`),
    'has a HEAD that is not a commit': (directory) =>
      writeFileSync(join(directory, '.git/HEAD'), `${git(directory, 'rev-parse', 'HEAD:a')}\n`),
    'has lost its objects': (directory) => {
      rmSync(join(directory, '.git/objects'), { recursive: true })
      mkdirSync(join(directory, '.git/objects'))
    },
    'borrows from elsewhere': (directory) =>
      writeFileSync(join(directory, '.git/objects/info/alternates'), `${directory}/../elsewhere/objects\n`),
    'has an object whose content does not match its id': (directory) => {
      const id = git(directory, 'rev-parse', 'HEAD:a')
      const other = git(directory, 'hash-object', '-w', join(directory, 'b'))
      const path = (object: string) => join(directory, '.git/objects', object.slice(0, 2), object.slice(2))
      chmodSync(path(id), 0o644)
      writeFileSync(path(id), readFileSync(path(other)))
    },
    'has a commit that contains .git': (directory) => {
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

  it.each(Object.entries(breakages))('still takes the files if the repository %s', async (_, breakIt) => {
    using work = await startWork()
    writeFiles(work.directory, { a: 'committed' })
    commitAll(work.directory, 'own')
    writeFiles(work.directory, { b: 'uncommitted' })
    breakIt(work.directory)
    const collected = await work.collect()

    expect(collected.commits).toEqual([collected.tip])
    expect(collected.files).toEqual(['a', 'b'])
    expect(collected.omissions).toEqual([expect.stringContaining("agent's own commits could not be read")])
    expect(git(work.hubDirectory, 'fsck', '--no-dangling')).toBe('')
    expect(git(work.hubDirectory, 'show', `${collected.tip}:b`)).toBe('uncommitted')
  })

  it('ignores a forged commit graph', async () => {
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
    expect(git(work.hubDirectory, 'fsck', '--no-dangling')).toBe('')
  })
})

describe('collecting from a repository whose objects an agent has replaced', () => {
  const planted: readonly (readonly [string, (objects: string, other: string) => void])[] = [
    ['a pipe for the alternates', (objects) => pipe(join(objects, 'info', 'alternates'))],
    [
      'a folder whose name is not text',
      (objects) => mkdirSync(Buffer.concat([Buffer.from(`${objects}/`), Buffer.from([0xff])])),
    ],
    ['a pipe among the packs', (objects) => pipe(join(objects, 'pack', 'pack-1.idx'))],
    [
      'a link to the alternates of another repository',
      (objects, other) => {
        writeFileSync(join(other, 'list'), `${other}/.git/objects\n`)
        rmSync(join(objects, 'info', 'alternates'))
        symlinkSync(join(other, 'list'), join(objects, 'info', 'alternates'))
      },
    ],
    [
      'a list of alternates that is too long to read',
      (objects, other) => {
        const comments = '# nothing\n'.repeat(1_000)
        writeFileSync(join(objects, 'info', 'alternates'), `${comments}${other}/.git/objects\n`)
      },
    ],
    [
      'a link to the packs of another repository',
      (objects, other) => {
        git(other, 'gc', '--quiet')
        rmSync(join(objects, 'pack'), { recursive: true, force: true })
        symlinkSync(join(other, '.git', 'objects', 'pack'), join(objects, 'pack'))
      },
    ],
  ]

  function pipe(path: string): void {
    mkdirSync(join(path, '..'), { recursive: true })
    rmSync(path, { force: true })
    execFileSync('mkfifo', [path])
  }

  it.each(planted)('leaves the commits out, reports it and does not wait: %s', async (_, plant) => {
    using work = await startWork()
    const other = join(work.root, 'other')
    makeRepository(other, { secret: 'secret\n' })
    writeFiles(work.directory, { c: 'c\n' })
    const tip = commitAll(work.directory, 'work')
    plant(join(work.directory, '.git', 'objects'), other)
    const collected = await work.collect()
    expect(collected.omissions).toEqual([expect.stringMatching(/not an object|borrows objects/)])
    expect(collected.tip).not.toBe(tip)
    const files = git(work.hubDirectory, 'ls-tree', '-r', '--name-only', collected.tip).trim().split('\n')
    expect(files).toEqual(['a', 'b', 'c'])
  })

  it('takes commits of a repository with commit graphs', async () => {
    using work = await startWork()
    writeFiles(work.directory, { c: 'c\n' })
    const tip = commitAll(work.directory, 'work')
    git(work.directory, 'commit-graph', 'write', '--reachable', '--split')
    expect(await work.collect()).toMatchObject({ tip, omissions: [] })
  })
})
