import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RefusedWork, UsableWork } from '../../../../ports/working-trees.ts'
import {
  commitAll,
  git,
  newId,
  openProject,
  type ProjectStage,
  succeeded,
  writeFiles,
} from '../testing/test-repository.ts'

type Scene = ProjectStage & {
  /** Opens the tree with copies of these paths. */
  readonly copy: (...paths: readonly string[]) => Promise<void>
  readonly read: (path: string) => string | undefined
  readonly exclude: (...paths: readonly string[]) => Promise<UsableWork>
  readonly refuse: (...paths: readonly string[]) => Promise<RefusedWork>
}

function contained(copies: string): string {
  return `the agent committed ${copies}, which Muster copied into its tree and which must not be published`
}

/** A checkout, and a folder next to it that nothing may reach. */
async function openScene(prepare?: (source: string) => void): Promise<Scene> {
  const files = { tracked: 't\n', 'folder/tracked': 't\n', '.gitignore': '.env\n' }
  const stage = await openProject(files, prepare === undefined ? {} : { prepare })
  writeFiles(stage.root, { 'outside/secret': 'secret' })
  return {
    ...stage,
    copy: async (...paths) => {
      await stage.openTree({ copies: { from: stage.source, paths } })
    },
    read: (path) => {
      const whole = join(stage.directory, path)
      return existsSync(whole) ? readFileSync(whole, 'utf8') : undefined
    },
    exclude: (...exclude) => stage.collect({ exclude }),
    refuse: (...exclude) => stage.collectRefused({ exclude, attemptId: newId('attempt') }),
  }
}

describe('copies in a tree', () => {
  it('are files and folders of the checkout that git ignores', async () => {
    using stage = await openScene()
    const files = {
      '.env': 'KEY=1',
      'deep/down/file': 'd',
      'modules/a/index': 'm',
      'modules/run': 'r',
      'o*d [x] ': 'o',
    }
    writeFiles(stage.source, files)
    chmodSync(join(stage.source, 'modules', 'run'), 0o755)
    mkdirSync(join(stage.source, 'modules', 'bin'))
    symlinkSync('../run', join(stage.source, 'modules', 'bin', 'run'))
    await stage.copy('.env', './deep/down/file', 'modules/', 'o*d [x] ', 'absent')

    for (const [path, text] of Object.entries(files)) expect(stage.read(path), path).toBe(text)
    expect(lstatSync(join(stage.directory, 'modules', 'run')).mode & 0o111).toBe(0o111)
    expect(readlinkSync(join(stage.directory, 'modules', 'bin', 'run'))).toBe('../run')
    expect(git(stage.directory, 'status', '--porcelain')).toBe('')
    expect(git(stage.directory, 'fsck')).toBe('')
  })

  it('are also made in warm trees', async () => {
    using stage = await openScene()
    writeFiles(stage.source, { '.env': 'KEY=1' })
    const { hub, project, base: commit } = stage
    succeeded(await hub.trees.warm({ project, commit, count: 1 }))
    await stage.copy('.env')

    expect(stage.read('.env')).toBe('KEY=1')
    expect(git(stage.directory, 'status', '--porcelain')).toBe('')
  })

  it('never come from outside the checkout or from its git directory', async () => {
    using stage = await openScene()
    const { source, root } = stage
    symlinkSync('../outside/secret', join(source, 'link'))
    symlinkSync(join(root, 'outside'), join(source, 'way-out'))
    symlinkSync('.git', join(source, 'way-in'))
    symlinkSync('.', join(source, 'all'))
    writeFiles(source, { 'mixed/fine': 'fine', 'nested/.git/config': 'x', 'nested/file': 'n' })
    symlinkSync('../../outside', join(source, 'mixed', 'out'))
    symlinkSync(join(root, 'outside', 'secret'), join(source, 'mixed', 'absolute'))
    symlinkSync('nowhere', join(source, 'mixed', 'dangling'))
    const escapes = [
      '../outside/secret',
      'folder/../../outside/secret',
      join(root, 'outside', 'secret'),
      '..',
      '',
    ]
    const ownGit = [
      '.git/config',
      '.git',
      '.GIT/config',
      'way-in/config',
      'way-in',
      'folder/../.git/HEAD',
      '.',
      'all',
    ]
    await stage.copy(
      ...escapes,
      'link',
      'way-out',
      'way-out/secret',
      ...ownGit,
      'mixed',
      'nested',
      'nul\0',
      '/etc/passwd',
    )

    expect(readdirSync(join(stage.directory, 'mixed'))).toEqual(['fine'])
    expect(readdirSync(join(stage.directory, 'nested'))).toEqual(['file'])
    expect(readdirSync(stage.directory).sort()).toEqual(
      ['.git', '.gitignore', 'folder', 'mixed', 'nested', 'tracked'].sort(),
    )
    expect(git(stage.directory, 'config', '--local', 'user.name')).toBe('Muster agent')
  })

  it('never follow a link in the commit and never replace its files', async () => {
    using stage = await openScene((source) => {
      symlinkSync('../../outside', join(source, 'a'))
      symlinkSync('../../outside/new', join(source, 'dangling'))
      commitAll(source, 'links')
    })
    const { source, root } = stage
    // In the checkout, the same names are ordinary files.
    execFileSync('rm', [join(source, 'a'), join(source, 'dangling')])
    writeFiles(source, {
      'a/x': 'x',
      'a/secret': 'overwritten',
      dangling: 'd',
      tracked: 'mine',
      'tracked-not': 'y',
    })
    writeFiles(source, { 'folder/tracked': 'mine', 'folder/new': 'new' })
    await stage.copy(
      'a/x',
      'a/secret',
      'a',
      'dangling',
      'tracked',
      'tracked/x',
      'folder',
      'folder/new',
      'tracked-not',
    )

    expect(readdirSync(join(root, 'outside'))).toEqual(['secret'])
    expect(readFileSync(join(root, 'outside', 'secret'), 'utf8')).toBe('secret')
    expect(lstatSync(join(stage.directory, 'a')).isSymbolicLink()).toBe(true)
    expect(stage.read('tracked')).toBe('t\n')
    expect(stage.read('folder/tracked')).toBe('t\n')
    expect(stage.read('folder/new')).toBe('new')
    expect(stage.read('tracked-not')).toBe('y')
  })

  it('leave out pipes and anything beyond the limits', async () => {
    using stage = await openScene()
    const { source } = stage
    execFileSync('mkfifo', [join(source, 'pipe')])
    mkdirSync(join(source, 'devices'))
    execFileSync('mkfifo', [join(source, 'devices', 'pipe')])
    writeFiles(source, { 'devices/file': 'f', huge: '', small: 's' })
    truncateSync(join(source, 'huge'), 201 * 1024 * 1024)
    mkdirSync(join(source, 'many'))
    for (let index = 0; index < 2001; index += 1) writeFileSync(join(source, 'many', `${index}`), '')
    await stage.copy('pipe', 'devices', 'huge', 'many', 'small')

    expect(readdirSync(join(stage.directory, 'devices'))).toEqual(['file'])
    for (const path of ['pipe', 'huge', 'many'])
      expect(existsSync(join(stage.directory, path)), path).toBe(false)
    expect(stage.read('small')).toBe('s')
  })
})

describe('a copy that cannot be made', () => {
  it('is left out completely, and the tree is still opened', async () => {
    using stage = await openScene()
    const { source } = stage
    // Short enough for the path of the checkout, but not for the longer one of the tree.
    const deep = 'for i in $(seq 16); do mkdir "$1" && cd -P "$1" || exit 1; done; touch "$2"'
    mkdirSync(join(source, 'deep'))
    const levels = ['d'.repeat(240), 'f'.repeat(4080 - source.length - '/deep'.length - 16 * 241 - 1)]
    execFileSync('sh', ['-c', deep, 'sh', ...levels], { cwd: join(source, 'deep') })
    writeFiles(source, { small: 's' })
    await stage.copy('x'.repeat(300), `${'y/'.repeat(600)}z`, 'deep', 'small')

    expect(existsSync(join(stage.directory, 'deep'))).toBe(false)
    expect(stage.read('small')).toBe('s')
    expect(git(stage.directory, 'status', '--porcelain')).toBe('')
  })
})

describe('collecting from a tree with copies', () => {
  it('leaves out the copies, even if they were changed', async () => {
    using stage = await openScene()
    writeFiles(stage.source, { local: 'l', 'modules/a': 'm', 'o*d': 'o' })
    await stage.copy('local', 'modules', 'o*d')
    writeFiles(stage.directory, { local: 'changed', 'modules/new': 'n', work: 'w', odd: 'work' })
    writeFileSync(join(stage.directory, '.git', 'info', 'exclude'), '')
    const collected = await stage.exclude('local', './modules/', 'o*d', '../x', '')

    expect(collected).toMatchObject({ files: ['odd', 'work'], omissions: [], committedForAgent: true })
  })

  it('takes what the base has, even if a copy of that name was requested', async () => {
    using stage = await openScene()
    await stage.copy('folder', 'tracked')
    writeFiles(stage.directory, { 'folder/work': 'w', tracked: 'changed\n' })

    expect((await stage.exclude('folder', 'tracked')).files).toEqual(['folder/work', 'tracked'])
  })

  it("keeps the agent's own commits with copies in them, but refuses them", async () => {
    using stage = await openScene()
    writeFiles(stage.source, { local: 'l' })
    await stage.copy('local')
    git(stage.directory, 'add', '--force', 'local')
    git(stage.directory, 'commit', '--quiet', '-m', 'takes it along')
    const own = git(stage.directory, 'rev-parse', 'HEAD')
    writeFiles(stage.directory, { local: 'changed since' })

    expect(await stage.refuse('local')).toEqual({ type: 'refused', tip: own, reason: contained('local') })
  })

  it('refuses committed copies, even if a later commit removes them or adds many files', async () => {
    using stage = await openScene()
    writeFiles(stage.source, { '.env': 'secret', 'conf/local.json': '{}', 'data/key': 'k', 'o*d': 'o' })
    await stage.copy('.env', 'conf//local.json', './data/', 'o*d')
    const names = ['./.env', 'conf//local.json', './data/', 'o*d', 'tracked', 'folder']
    writeFiles(stage.directory, { tracked: 'changed\n', 'folder/new': 'n', odd: 'x', 'data.txt': 'd' })
    commitAll(stage.directory, 'work')
    expect((await stage.exclude(...names)).files).toContain('tracked')

    git(stage.directory, 'add', '--force', '.env', 'data/key')
    git(stage.directory, 'commit', '--quiet', '-m', 'takes them')
    git(stage.directory, 'rm', '--quiet', '--cached', '.env', 'data/key')
    git(stage.directory, 'commit', '--quiet', '-m', 'removes them')
    expect((await stage.refuse(...names)).reason).toBe(contained('.env, data'))

    mkdirSync(join(stage.directory, 'a'))
    for (let index = 0; index < 10_050; index += 1) writeFileSync(join(stage.directory, 'a', `${index}`), '')
    git(stage.directory, 'add', 'a')
    git(stage.directory, 'add', '--force', 'conf/local.json')
    git(stage.directory, 'commit', '--quiet', '-m', 'many')
    expect((await stage.refuse(...names)).reason).toBe(contained('.env, conf/local.json, data'))
  })

  it('refuses copies that came with a merge, even after the tree was removed', async () => {
    using stage = await openScene()
    writeFiles(stage.source, { local: 'l' })
    await stage.copy('local')
    git(stage.directory, 'checkout', '--quiet', '--orphan', 'side')
    git(stage.directory, 'add', '--force', 'local')
    git(stage.directory, 'commit', '--quiet', '-m', 'elsewhere')
    git(stage.directory, 'checkout', '--quiet', 'muster/task')
    git(stage.directory, 'merge', '--quiet', '--allow-unrelated-histories', '-s', 'ours', 'side')
    const refused = await stage.collectRefused({ exclude: ['local'] })
    expect(refused.reason).toBe(contained('local'))
    await stage.hub.trees.remove(stage.directory)
    expect(await stage.collectRefused({ exclude: ['local'] })).toEqual(refused)
  })

  it('works if only copies are left in the tree', async () => {
    using stage = await openScene()
    writeFiles(stage.source, { local: 'l' })
    await stage.copy('local')
    git(stage.directory, 'rm', '--quiet', '-r', 'tracked', 'folder', '.gitignore')

    expect((await stage.exclude('local')).files).toEqual(['.gitignore', 'folder/tracked', 'tracked'])
  })
})
