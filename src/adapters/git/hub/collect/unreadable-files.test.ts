import { execFileSync } from 'node:child_process'
import { lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seteuid } from 'node:process'
import { describe, expect, it } from 'vitest'
import { asNobody } from '../testing/as-nobody.ts'
import { git, openProject, type ProjectStage, succeeded } from '../testing/test-repository.ts'

const FILES = { base: 'base\n', 'folder/one': 'one\n', run: '#!/bin/sh\n', '.gitignore': 'ignored\n' }
const LONG = `${'a'.repeat(200)}/${'b'.repeat(200)}`

/** A tree of an ordinary user in which an agent has run. */
async function afterAgent(agent: string, then: (stage: ProjectStage) => Promise<void>): Promise<void> {
  using stage = await openProject(FILES)
  await stage.openTree()
  const env = { ...process.env, GIT_CONFIG_PARAMETERS: "'user.name=a' 'user.email=a'" }
  execFileSync('/bin/sh', ['-ec', agent], { cwd: stage.directory, env })
  await asNobody(stage.root, async () => await then(stage))
}

describe('collecting a tree with files that their owner may not read', () => {
  it.each([
    ['a changed file', 'echo x >base; chmod 000 base', ['base']],
    ['a new file in a closed folder', 'mkdir -p a/b; echo x >a/b/c; chmod 000 a/b/c a/b a', ['a/b/c']],
    ['a closed folder with tracked files', 'echo x >folder/one; chmod 000 folder', ['folder/one']],
    ['a folder without search permission', 'echo x >folder/two; chmod 400 folder', ['folder/two']],
    ['rules that name ignored files', 'echo x >ignored; echo x >new; chmod 000 .gitignore', ['new']],
    ['a file with a long path', `mkdir -p ${LONG}; echo x >${LONG}/a; chmod 000 ${LONG}/a`, [`${LONG}/a`]],
    ['the root of the tree', 'echo x >new; chmod 000 .', ['new']],
    [
      'a nested repository',
      'git init -q n; cd n; echo x >a; git add a; git commit -qm n; chmod 000 a',
      ['n/a'],
    ],
  ])('takes %s', async (_, agent, files) => {
    await afterAgent(agent, async (work) => {
      expect(await work.collect()).toMatchObject({ files, omissions: [] })
    })
  })

  it('takes the commits of an agent that has closed its repository', async () => {
    await afterAgent('echo x >base; git commit -qam mine; chmod -R 000 .git', async (work) => {
      expect(await work.collect()).toMatchObject({ files: ['base'], committedForAgent: false, omissions: [] })
    })
  })

  it('leaves modes and files outside the tree as they are', async () => {
    await afterAgent('chmod 111 run; ln -s ../outside link; chmod 000 base', async (work) => {
      const outside = join(work.directory, '../outside')
      writeFileSync(outside, 'x', { mode: 0o000 })
      const { tip } = await work.collect()
      expect(git(work.hubDirectory, 'ls-tree', tip, 'run', 'base')).toMatch(/^100644 .*base\n100755 .*run$/)
      expect(lstatSync(outside).mode & 0o777).toBe(0)
    })
  })

  it.skipIf(process.getuid?.() !== 0)('fails for good if a file belongs to someone else', async () => {
    await afterAgent('mkdir new', async (work) => {
      seteuid?.(0)
      writeFileSync(join(work.directory, 'new/foreign'), 'x', { mode: 0o000 })
      await asNobody(undefined, async () => {
        await expect(work.collect()).rejects.toThrow(/isPermanent/)
      })
    })
  })

  it.skipIf(process.getuid?.() !== 0)('does not mind what it may not read in an ignored folder', async () => {
    await afterAgent('mkdir ignored; echo x >base; chmod 000 base', async (work) => {
      seteuid?.(0)
      writeFileSync(join(work.directory, 'ignored/foreign'), 'x', { mode: 0o000 })
      await asNobody(undefined, async () => {
        expect((await work.collect()).files).toEqual(['base'])
      })
    })
  })
})

describe('altered files', () => {
  it('include a file that a check changed and closed', async () => {
    await afterAgent('echo x >base; chmod 000 base; echo x >folder/one; chmod 000 folder', async (work) => {
      const { hub, project, directory, base } = work
      expect(succeeded(await hub.trees.alteredFiles(project, directory, base))).toEqual([
        'base',
        'folder/one',
      ])
    })
  })
})
