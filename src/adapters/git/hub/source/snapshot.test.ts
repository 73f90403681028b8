import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHub } from '../create-hub.ts'
import { createCanary, plantPrograms } from '../testing/hostile-repository.ts'
import {
  failed,
  git,
  makeRepository,
  openProject,
  type ProjectStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'
import { settingsVariables } from './checkout-rules.ts'

const FILES = { 'kept.txt': 'kept\n', 'changed.txt': 'old\n', 'gone.txt': 'gone\n', '.gitignore': '*.log\n' }

async function snapshot(stage: ProjectStage, exclude: readonly string[] = []) {
  const source = succeeded(await stage.hub.branches.inspectSource(stage.source))
  return await stage.hub.branches.snapshot(stage.project, { source, head: stage.base, exclude })
}

/** The same, by a person with this home. */
async function snapshotAs(
  stage: ProjectStage,
  home: string,
  exclude: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
) {
  using hub = createHub({
    hubsDirectory: join(stage.root, 'hubs'),
    gitConfigFile: join(stage.root, 'gitconfig'),
    person: { home, configHome: join(home, '.config'), systemFile: join(home, 'system'), variables },
  })
  return await snapshot({ ...stage, hub }, exclude)
}

async function filesIn(stage: ProjectStage, home: string) {
  return succeeded(await snapshotAs(stage, home))?.files.toSorted()
}

const filesOf = (stage: ProjectStage, commit: string) =>
  git(stage.hubDirectory, 'ls-tree', '-r', '--name-only', commit).split('\n')

/** Everything that the person's git knows, and when it was written. */
function stateOf(source: string): unknown {
  const directory = join(source, '.git')
  const all = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  return all.map((name) => [name, statSync(join(directory, name)).mtimeMs])
}

describe('a snapshot of a checkout', () => {
  it('contains changed, deleted and new files, staged or not, and leaves the repository as it is', async () => {
    using stage = await openProject(FILES)
    writeFiles(stage.source, { 'changed.txt': 'new\n', 'staged.txt': 'staged\n', 'sub/new.txt': 'new\n' })
    git(stage.source, 'add', 'staged.txt')
    rmSync(join(stage.source, 'gone.txt'))
    const before = stateOf(stage.source)
    const made = succeeded(await snapshot(stage))
    expect(stateOf(stage.source)).toEqual(before)
    expect(made?.files.toSorted()).toEqual(['changed.txt', 'gone.txt', 'staged.txt', 'sub/new.txt'])
    const commit = made?.commit ?? ''
    expect(filesOf(stage, commit)).toEqual(
      ['.gitignore', 'changed.txt', 'kept.txt', 'staged.txt', 'sub/new.txt'].sort(),
    )
    expect(git(stage.hubDirectory, 'show', `${commit}:changed.txt`)).toBe('new')
    expect(git(stage.hubDirectory, 'rev-parse', `${commit}^`)).toBe(stage.base)
    expect(git(stage.hubDirectory, 'rev-parse', `refs/muster/base/${commit}`)).toBe(commit)
    // Repeated after a crash, it is the same commit.
    expect(succeeded(await snapshot(stage))?.commit).toBe(commit)
  })

  it('is not made if nothing differs', async () => {
    using stage = await openProject(FILES)
    writeFiles(stage.source, { 'noise.log': 'ignored\n' })
    expect(succeeded(await snapshot(stage))).toBeUndefined()
  })

  it('leaves out what the person ignores anywhere, and what is only copied into trees', async () => {
    using stage = await openProject(FILES)
    const home = join(stage.root, 'home')
    writeFiles(home, { '.gitconfig': '[core]\n\texcludesFile = ~/.ignored\n', '.ignored': '.idea\n' })
    writeFiles(stage.source, {
      'a.log': 'by .gitignore\n',
      'private.txt': 'by info/exclude\n',
      '.idea/x': 'by the global file\n',
      '.env': 'copied\n',
      'mine.txt': 'mine\n',
    })
    mkdirSync(join(stage.source, '.git', 'info'), { recursive: true })
    writeFileSync(join(stage.source, '.git', 'info', 'exclude'), 'private.txt\n')
    const made = succeeded(await snapshotAs(stage, home, ['.env', '../outside']))
    expect(made?.files).toEqual(['mine.txt'])
  })

  it('leaves out what is ignored by settings that other settings include, and by those of the system', async () => {
    using stage = await openProject(FILES)
    const home = join(stage.root, 'home')
    const condition = `gitdir:${stage.root}/`
    writeFiles(home, {
      '.gitconfig': `[include]\n\tpath = ~/more\n[includeIf "${condition}"]\n\tpath = ~/here\n`,
      more: '[core]\n\texcludesFile = ~/.more\n',
      '.more': '*.more\n',
      here: '[core]\n\texcludesFile = ~/.here\n',
      '.here': '*.here\n',
      system: `[core]\n\texcludesFile = ${home}/.system\n`,
      '.system': '*.system\n',
    })
    writeFiles(stage.source, { 'a.more': '1', 'a.here': '2', 'a.system': '3' })
    expect(await filesIn(stage, home)).toEqual(['a.more', 'a.system'])
    writeFiles(home, { '.gitconfig': '[include]\n\tpath = ~/more\n' })
    expect(await filesIn(stage, home)).toEqual(['a.here', 'a.system'])
    writeFiles(home, { '.gitconfig': '' })
    expect(await filesIn(stage, home)).toEqual(['a.here', 'a.more'])
  })

  it('leaves out what is ignored by a file of a named user, of a remote, or of the environment', async () => {
    using stage = await openProject(FILES)
    const home = join(stage.root, 'home')
    const { username, homedir } = userInfo()
    const byUser = `~${username}/${relative(homedir, join(home, 'ignored'))}`
    writeFiles(home, { '.gitconfig': `[core]\n\texcludesFile = ${byUser}\n`, ignored: 'secret\n' })
    writeFiles(stage.source, { secret: 'secret\n', 'mine.txt': 'mine\n' })
    expect(await filesIn(stage, home)).toEqual(['mine.txt'])
    const condition = 'hasconfig:remote.*.url:https://git.example/**'
    writeFiles(home, {
      '.gitconfig': `[includeIf "${condition}"]\n\tpath = ~/more\n`,
      more: '[core]\n\texcludesFile = ~/ignored\n',
    })
    expect(await filesIn(stage, home)).toEqual(['mine.txt', 'secret'])
    git(stage.source, 'config', 'remote.work.url', 'https://git.example/a')
    expect(await filesIn(stage, home)).toEqual(['mine.txt'])
    writeFiles(home, { '.gitconfig': '' })
    const variables = settingsVariables({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.excludesFile',
      GIT_CONFIG_VALUE_0: '~/ignored',
      GIT_DIR: '/nowhere',
    })
    expect(succeeded(await snapshotAs(stage, home, [], variables))?.files).toEqual(['mine.txt'])
  })

  it('takes a file of rules that is absent, empty or /dev/null for no rules', async () => {
    using stage = await openProject(FILES)
    const home = join(stage.root, 'home')
    writeFiles(stage.source, { 'mine.txt': 'mine\n' })
    for (const path of ['~/absent', '', '/dev/null']) {
      writeFiles(home, { '.gitconfig': `[core]\n\texcludesFile = ${path}\n\tattributesFile = ${path}\n` })
      expect(await filesIn(stage, home)).toEqual(['mine.txt'])
    }
  })

  it("converts files as the person's attributes say, and refuses a filter that is only there", async () => {
    using stage = await openProject(FILES)
    const home = join(stage.root, 'home')
    writeFiles(home, { '.config/git/attributes': '*.txt text\n' })
    writeFiles(stage.source, { 'changed.txt': 'new\r\n', 'raw.dat': 'raw\r\n' })
    const made = succeeded(await snapshotAs(stage, home))
    const contents = (name: string) => git(stage.hubDirectory, 'cat-file', '-s', `${made?.commit}:${name}`)
    expect([contents('changed.txt'), contents('raw.dat')]).toEqual(['4', '5'])
    writeFiles(home, {
      '.gitconfig': '[core]\n\tattributesFile = ~/filters\n',
      filters: '*.dat filter=crypt\n',
    })
    expect(failed(await snapshotAs(stage, home))).toMatchObject({
      problem: expect.stringContaining('raw.dat has the git filter crypt'),
    })
  })

  it('is refused if settings cannot be read, because ignored files would be taken for work', async () => {
    using stage = await openProject(FILES)
    const home = join(stage.root, 'home')
    writeFiles(home, { '.gitconfig': '[core\n' })
    writeFiles(stage.source, { 'mine.txt': 'mine\n' })
    expect(failed(await snapshotAs(stage, home))).toMatchObject({ type: 'git-failed' })
  })

  it.each(['excludesFile', 'attributesFile'])(
    'is refused if %s is unclear or no regular file',
    async (name) => {
      using stage = await openProject(FILES)
      const home = join(stage.root, 'home')
      writeFiles(stage.source, { 'mine.txt': 'mine\n' })
      writeFiles(home, { '.gitconfig': `[core]\n\t${name} = ~nobody-has-this-name/ignored\n` })
      expect(failed(await snapshotAs(stage, home))).toMatchObject({ type: 'git-failed' })
      execFileSync('mkfifo', [join(home, 'pipe')])
      symlinkSync('pipe', join(home, 'link'))
      for (const path of [join(home, 'link'), home, '/dev/zero']) {
        writeFiles(home, { '.gitconfig': `[core]\n\t${name} = ${path}\n` })
        const problem = `git's settings name ${path}, which is not a regular file`
        expect(failed(await snapshotAs(stage, home))).toMatchObject({ type: 'uncommitted-unusable', problem })
      }
    },
  )

  it('takes no mode for a change if the person told git so, and keeps links as links', async () => {
    using stage = await openProject(FILES)
    git(stage.source, 'config', 'core.fileMode', 'false')
    chmodSync(join(stage.source, 'kept.txt'), 0o755)
    symlinkSync('/etc/passwd', join(stage.source, 'link'))
    const made = succeeded(await snapshot(stage))
    expect(made?.files).toEqual(['link'])
    expect(git(stage.hubDirectory, 'cat-file', '-p', `${made?.commit}:link`)).toBe('/etc/passwd')
  })

  it('runs nothing that is planted in the repository', async () => {
    using stage = await openProject(FILES)
    const canary = createCanary(join(stage.root, 'canary'))
    plantPrograms(join(stage.source, '.git'), canary)
    writeFiles(stage.source, { 'changed.txt': 'new\n' })
    expect(failed(await snapshot(stage))).toMatchObject({ problem: expect.stringContaining('git filter x') })
    writeFileSync(join(stage.source, '.git', 'info', 'attributes'), '* diff=x merge=x\n')
    expect(succeeded(await snapshot(stage))?.files).toEqual(['changed.txt'])
    expect(canary.names()).toEqual([])
  })
})

describe('a snapshot is refused', () => {
  const problemOf = async (stage: ProjectStage) => {
    const refused = failed(await snapshot(stage))
    return refused.type === 'uncommitted-unusable' ? refused.problem : refused
  }

  it('for a repository inside the checkout', async () => {
    using stage = await openProject(FILES)
    makeRepository(join(stage.source, 'inner'), { x: 'x' })
    expect(await problemOf(stage)).toContain('inner is a repository of its own')
  })

  it('for a file with a filter, if it was changed', async () => {
    using stage = await openProject({
      ...FILES,
      '.gitattributes': '*.bin filter=lfs\n',
      'a.bin': 'pointer\n',
    })
    // As git-lfs checks it out: the file differs from what git stores, but it is unchanged.
    git(stage.source, 'config', 'filter.lfs.clean', 'echo pointer')
    writeFiles(stage.source, { 'a.bin': 'contents\n' })
    utimesSync(join(stage.source, 'a.bin'), 1_000_000, 1_000_000)
    git(stage.source, 'add', 'a.bin')
    expect(succeeded(await snapshot(stage))).toBeUndefined()
    writeFiles(stage.source, { 'a.bin': 'changed contents\n' })
    expect(await problemOf(stage)).toContain('a.bin has the git filter lfs')
  })

  it('in the middle of a merge, and in a sparse or bare repository', async () => {
    using stage = await openProject(FILES)
    writeFileSync(join(stage.source, '.git', 'MERGE_HEAD'), stage.base)
    expect(await problemOf(stage)).toContain('a merge or a rebase is in progress')
    rmSync(join(stage.source, '.git', 'MERGE_HEAD'))
    for (const value of ['true', 'yes', 'on', '1']) {
      git(stage.source, 'config', 'core.sparseCheckout', value)
      expect(await problemOf(stage)).toContain('sparse')
    }
    const bare = join(stage.root, 'bare.git')
    git(stage.root, 'clone', '--quiet', '--bare', stage.source, bare)
    expect(await problemOf({ ...stage, source: bare })).toContain('bare')
  })
})

it('is made if the repository is no longer sparse', async () => {
  using stage = await openProject(FILES)
  git(stage.source, 'config', 'core.sparseCheckout', 'off')
  writeFiles(stage.source, { 'mine.txt': 'mine\n' })
  expect(succeeded(await snapshot(stage))).toMatchObject({ files: ['mine.txt'] })
})

it('names the submodules whose own changes it does not contain, and is refused if one has moved', async () => {
  using stage = await openProject(FILES, {
    prepare: (source) => {
      makeRepository(join(source, '..', 'library'), { x: 'x' })
      git(source, 'submodule', '--quiet', 'add', join(source, '..', 'library'), 'lib')
      git(source, 'commit', '--quiet', '-m', 'add lib')
    },
  })
  writeFiles(stage.source, { 'lib/x': 'changed inside\n', 'mine.txt': 'mine\n' })
  const made = succeeded(await snapshot(stage))
  expect(made).toMatchObject({ files: ['mine.txt'], submodules: ['lib'] })
  git(join(stage.source, 'lib'), 'commit', '--quiet', '--all', '-m', 'moved')
  expect(failed(await snapshot(stage))).toMatchObject({
    problem: expect.stringContaining('lib stays at its old commit'),
  })
})
