import { execFileSync, spawnSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSetup } from '../../../../engine/trees/with-setup.ts'
import { commitAll, git, openProject, type ProjectStage, writeFiles } from '../testing/test-repository.ts'

const INSTALL = `
  mkdir -p node_modules/dep packages/a/node_modules/dep generated
  echo 1 >node_modules/dep/index.js
  echo 1 >packages/a/node_modules/dep/index.js
  touch -d @1 node_modules/dep/index.js
  echo made >package-lock.json
  echo made >"odd [name] here"
  echo made >generated/one
  echo made >generated/two
  echo changed >tracked-lock
`

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{}',
  'packages/a/package.json': '{}',
  'tracked-lock': 'original\n',
  src: 'src\n',
}

/** A tree in which setup has run and then the agent, each as a shell script. */
async function afterSetup(agent: string, setup = INSTALL, files = FILES): Promise<ProjectStage> {
  const stage = await openProject(files)
  await stage.openTree()
  const [program, ...words] = withSetup(['/bin/sh', '-ec', agent], [setup])
  spawnSync(program, words, {
    cwd: stage.directory,
    stdio: 'ignore',
    env: { ...process.env, GIT_CONFIG_PARAMETERS: "'user.name=a' 'user.email=a'" },
  })
  return stage
}

describe('collecting a tree in which setup has run', () => {
  it('finds nothing if only setup made or changed files', async () => {
    using work = await afterSetup('true')
    expect(await work.collect()).toMatchObject({ tip: work.base, files: [], omissions: [] })
  })

  it('takes only what the agent did', async () => {
    using work = await afterSetup('echo hello >UNI.md; echo x >src')
    expect((await work.collect()).files).toEqual(['UNI.md', 'src'])
  })

  it('hides what setup made from the git of an agent that commits everything', async () => {
    using work = await afterSetup('echo hello >UNI.md')
    git(work.directory, 'add', 'UNI.md')
    expect(git(work.directory, 'status', '--porcelain')).toBe('A  UNI.md\n M tracked-lock')
    git(work.directory, 'checkout', '--quiet', 'tracked-lock')
    commitAll(work.directory, 'everything')
    expect((await work.collect()).files).toEqual(['UNI.md'])
  })

  it('takes a file of setup that the agent changed further, in any way', async () => {
    using work = await afterSetup(`
      echo more >package-lock.json
      echo madE >generated/two
      touch -d @1 generated/two
      echo agent >tracked-lock
    `)
    expect((await work.collect()).files).toEqual(['generated/two', 'package-lock.json', 'tracked-lock'])
  })

  it('leaves out what tools write into the folders of dependencies that setup made', async () => {
    using work = await afterSetup('echo x >node_modules/.cache; echo x >packages/a/node_modules/dep/index.js')
    expect((await work.collect()).files).toEqual([])
  })

  it('takes folders of dependencies that the agent made', async () => {
    using work = await afterSetup('mkdir -p node_modules; echo x >node_modules/a.js', 'true')
    expect((await work.collect()).files).toEqual(['node_modules/a.js'])
  })

  it('takes what the agent moved out of the way of setup', async () => {
    using work = await afterSetup('true')
    renameSync(join(work.directory, 'generated'), join(work.directory, 'kept'))
    expect((await work.collect()).files).toEqual(['kept/one', 'kept/two'])
  })

  it('takes the work if the agent replaced a folder with files of setup by a link', async () => {
    using work = await afterSetup('mv packages moved; ln -s moved packages', 'echo made >packages/a/new')
    expect((await work.collect({ exclude: ['packages/a/.env'] })).files).toEqual([
      'moved/a/new',
      'moved/a/package.json',
      'packages',
      'packages/a/package.json',
    ])
  })

  it('takes a folder that the agent put in the place of another one, with files of the same age', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `${index}`)
    const files = names.flatMap((name) => [
      [`${name}/live/app`, 'limit = 10\n'],
      [`${name}/next/app`, 'limit = 99\n'],
    ])
    const agent = 'for i in ?; do rm -r $i/live; mv $i/next $i/live; done'
    using work = await afterSetup(agent, 'test -d .', Object.fromEntries(files))
    const expected = names.flatMap((name) => [`${name}/live/app`, `${name}/next/app`])
    expect((await work.collect()).files).toEqual(expected)
    commitAll(work.directory, 'everything')
    expect((await work.collect()).files).toEqual(expected)
  })

  it('leaves out what the agent made once more exactly as setup had made it', async () => {
    const build = 'mkdir -p generated; echo made >generated/one; echo made >-v; echo changed >src'
    using work = await afterSetup(`echo x >UNI.md; rm -r generated; ${build}`, build)
    expect((await work.collect()).files).toEqual(['UNI.md'])
    git(work.directory, 'commit', '--quiet', '--all', '--message', 'all')
    commitAll(work.directory, 'everything')
    expect((await work.collect()).files).toEqual(['UNI.md'])
  })

  it('takes a file with the content of setup that the agent made executable or a link', async () => {
    using work = await afterSetup(
      'chmod +x generated/one; mv generated/two target; ln -s ../target generated/two',
      `${INSTALL}\nln -s /dev/zero endless`,
    )
    expect((await work.collect()).files).toEqual(['generated/one', 'generated/two', 'target'])
  })

  it('takes back all changes of a file that the agent returned to what setup had made of it', async () => {
    using work = await afterSetup(
      'echo mine >src; git commit -qam mine; echo setup >src; echo x >UNI.md',
      'echo setup >src',
    )
    expect((await work.collect()).files).toEqual(['UNI.md'])
  })

  it('leaves out what setup changed although it hides the change from git', async () => {
    const setup = 'git update-index --skip-worktree src; echo setup >src'
    using work = await afterSetup('echo x >UNI.md', setup)
    expect((await work.collect()).files).toEqual(['UNI.md'])
  })

  it('takes a deletion, also of a file that setup changed', async () => {
    using work = await afterSetup('rm tracked-lock package-lock.json')
    expect((await work.collect()).files).toEqual(['tracked-lock'])
  })

  it('leaves out what setup deleted, but not what the agent made, committed and deleted', async () => {
    using work = await afterSetup('echo x >UNI.md', 'rm tracked-lock; rm -r packages')
    expect((await work.collect()).files).toEqual(['UNI.md'])

    using other = await afterSetup(
      'echo x >UNI.md; echo x >gone; git add gone; git -c user.name=a -c user.email=a commit -qm gone; rm gone',
      'rm tracked-lock',
    )
    expect((await other.collect()).files).toEqual(['UNI.md'])
  })

  it('takes what the agent deleted, committed or not', async () => {
    using work = await afterSetup('rm src; rm -r packages')
    expect((await work.collect()).files).toEqual(['packages/a/package.json', 'src'])
    using other = await afterSetup('rm src', 'true')
    commitAll(other.directory, 'gone')
    expect((await other.collect()).files).toEqual(['src'])
  })

  it('takes a file that the agent put in the place of a folder that setup deleted', async () => {
    using work = await afterSetup('echo x >packages', 'rm -r packages')
    expect((await work.collect()).files).toEqual(['packages', 'packages/a/package.json'])
  })

  it('leaves out what setup changed or deleted although the agent committed it', async () => {
    using work = await afterSetup('echo x >UNI.md', 'echo setup >tracked-lock; rm src')
    commitAll(work.directory, 'everything')
    expect((await work.collect()).files).toEqual(['UNI.md'])
  })

  it.each([
    ['a file by a folder', 'rm src; mkdir src; echo made >src/one'],
    ['a file by an empty folder', 'rm src; mkdir src'],
    [
      'a file by a repository',
      'rm src; git init -q src; cd src; echo made >one; git add one; git commit -qm 1',
    ],
    ['a file by a link', 'ln -sf package.json src'],
    ['a file by a link to a folder', 'rm src; ln -s packages src'],
    ['a folder by a file', 'rm -r packages; echo made >packages'],
    ['a folder by a link', 'mv packages moved; ln -s moved packages'],
    ['a folder by a link that leads nowhere', 'rm -r packages/a; ln -s nowhere packages/a'],
    [
      'a folder by a repository',
      'rm -r packages; git init -q packages; cd packages; mkdir a; echo made >one; echo made >a/package.json; git add .; git commit -qm 1',
    ],
  ])('leaves out that setup replaced %s, committed or not', async (_, setup) => {
    using work = await afterSetup('echo x >UNI.md; echo x >packages.md', setup)
    expect((await work.collect()).files).toEqual(['UNI.md', 'packages.md'])
    commitAll(work.directory, 'everything')
    expect((await work.collect()).files).toEqual(['UNI.md', 'packages.md'])
    commitAll(work.directory, 'once more')
    writeFiles(work.directory, { later: 'x' })
    expect((await work.collect()).files).toEqual(['UNI.md', 'later', 'packages.md'])
  })

  it.each([
    ['a folder', 'rm src; mkdir src; echo made >src/one', 'echo x >src/mine', ['src', 'src/mine']],
    [
      'a repository',
      'rm src; git init -q src; cd src; echo made >one; git add one; git commit -qm 1',
      'echo x >src/one',
      ['src', 'src/one'],
    ],
    [
      'a file',
      'rm -r packages; echo a >packages',
      'echo b >packages',
      ['packages', 'packages/a/package.json'],
    ],
    [
      'a link',
      'mv packages moved; ln -s moved packages',
      'rm packages; ln -s src packages',
      ['packages', 'packages/a/package.json'],
    ],
  ])(
    'takes what the agent did in the place of %s of setup, committed or not',
    async (_, setup, agent, files) => {
      using work = await afterSetup(agent, setup)
      expect((await work.collect()).files).toEqual(files)
      commitAll(work.directory, 'everything')
      expect((await work.collect()).files).toEqual(files)
    },
  )

  it('takes the original back where setup had replaced it', async () => {
    using work = await afterSetup('true', 'rm src; mkdir src; rm -r packages; echo made >packages')
    commitAll(work.directory, 'everything')
    rmSync(join(work.directory, 'src'), { recursive: true })
    rmSync(join(work.directory, 'packages'))
    writeFiles(work.directory, { src: 'mine\n', 'packages/b': 'mine\n' })
    expect((await work.collect()).files).toEqual(['packages/b', 'src'])
  })

  it('hides files of setup with any name', async () => {
    const names = [
      'two\\nlines',
      '\\n',
      'n\\n',
      'r\\r',
      's ',
      'a\\tb',
      '\\001',
      '\\377\\376',
      'ü',
      '#',
      '!a',
      '[a]*?\\\\',
    ]
    const setup = names.map(
      (name) => `
        name="$(printf '${name}/')" && name="\${name%/}" && mkdir "in$name" &&
        echo made >"$name" && echo made >"in$name/$name" && echo made >"packages/a/$name" || exit 1
      `,
    )
    using work = await afterSetup(`echo x >"$(printf 'two\\nlines more')"`, setup.join(''))
    expect(git(work.directory, 'status', '--porcelain')).toBe('?? "two\\nlines more"')
    commitAll(work.directory, 'everything')
    expect((await work.collect()).files).toEqual(['two\nlines more'])
  })

  it('leaves out files of setup that the repository does not let git ignore', async () => {
    const setup =
      'cd packages; mkdir b; for i in $(seq 20); do echo $i >b/$i; done; echo made | tee made >mine'
    const rules = 'echo "!/packages/**" >.gitignore'
    using work = await afterSetup('echo x >packages/UNI.md; echo more >packages/mine', `${rules}; ${setup}`)
    expect(git(work.directory, 'status', '--porcelain')).toContain('?? packages/made')
    commitAll(work.directory, 'everything')
    expect((await work.collect()).files).toEqual(['packages/UNI.md', 'packages/mine'])
  })

  it('takes a file of setup that the agent commits although git ignores it', async () => {
    using work = await afterSetup('git add --force package-lock.json; git commit -qm lock')
    expect((await work.collect()).files).toEqual(['package-lock.json'])
  })

  it.each([
    ['staged', 'git add --all --force'],
    ['meant to stage', 'git add --all --force --intent-to-add'],
    ['staged as deleted', 'git rm -q --cached src'],
    ['committed', 'git add --all --force; git commit -qm setup'],
    ['committed on another branch', 'git checkout -qb other; git add --all --force; git commit -qm setup'],
    ['committed instead of the base', 'git commit -q --amend --all -m setup'],
    ['committed before it failed', 'git add --all --force; git commit -qm setup; exit 3'],
  ])('leaves out what setup %s', async (_, setup) => {
    using work = await afterSetup('echo x >UNI.md', `${INSTALL}\n${setup}`)
    writeFiles(work.directory, { 'UNI.md': 'x' })
    expect((await work.collect()).files).toEqual(['UNI.md'])
    git(work.directory, 'commit', '--quiet', '--all', '--allow-empty', '-m', 'all')
    commitAll(work.directory, 'everything')
    const { files, commits } = await work.collect()
    expect(files).toEqual(['UNI.md'])
    expect(commits).not.toHaveLength(0)
    const subjects = git(work.hubDirectory, 'log', '--format=%s', ...commits, '--not', work.base)
    expect(subjects).not.toContain('setup')
  })

  it('takes a commit that changes what setup changed further, or stops tracking a file', async () => {
    using work = await afterSetup(
      'echo more >>tracked-lock; echo src >.gitignore',
      'echo setup >tracked-lock',
    )
    git(work.directory, 'rm', '--quiet', '--cached', 'src')
    commitAll(work.directory, 'everything')
    expect((await work.collect()).files).toEqual(['.gitignore', 'src', 'tracked-lock'])
  })

  it('takes everything if the list is gone, and believes no damaged list', async () => {
    using work = await afterSetup('true')
    writeFileSync(join(work.directory, '.git/muster-setup'), 'garbage\0 1 2\0')
    expect((await work.collect()).files).toContain('tracked-lock')
    rmSync(join(work.directory, '.git/muster-setup'))
    expect((await work.collect()).files).toContain('node_modules/dep/index.js')
  })

  it('finds nothing if setup failed halfway', async () => {
    using work = await openProject({ a: 'a' })
    await work.openTree()
    const [program, ...words] = withSetup(['/bin/true'], ['echo 1 >half; exit 3'])
    expect(() => execFileSync(program, words, { cwd: work.directory, stdio: 'ignore' })).toThrow()
    expect((await work.collect()).files).toEqual([])
  })

  it('does not read what a link in the place of the list leads to', async () => {
    using work = await afterSetup(
      'echo x >UNI.md; mv .git/muster-setup list; ln -s ../list .git/muster-setup',
    )
    writeFiles(work.directory, { more: 'x' })
    expect((await work.collect()).files).toContain('tracked-lock')
  })
})
