import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { failed, openProject, succeeded, writeFiles } from '../testing/test-repository.ts'

it('creates nothing in the place of a hub that was moved away, and imports into a new one', async () => {
  using work = await openProject({ a: 'a\n' })
  const directory = await work.openTree()
  writeFiles(directory, { b: 'b\n' })
  renameSync(work.hubDirectory, `${work.hubDirectory}.moved`)

  const { project, hub, base, attemptId } = work
  const request = { project, attemptId, directory, base, message: 'left' }
  expect(failed(await hub.trees.collect(request))).toMatchObject({ type: 'git-failed' })
  expect(failed(await hub.commits.commitFiles(project, base, { a: 'x' }, 'x'))).toMatchObject({
    type: 'git-failed',
  })
  expect(succeeded(await hub.pins.list(project))).toEqual([])
  succeeded(await hub.pins.remove(project, [attemptId]))
  expect(existsSync(work.hubDirectory)).toBe(false)

  const source = succeeded(await hub.branches.inspectSource(work.source))
  expect(succeeded(await hub.branches.importBase(project, source, undefined))).toMatchObject({ commit: base })
})

it('replaces a folder with only temporary files, but not a damaged hub', async () => {
  using work = await openProject({ a: 'a\n' })
  const { project, hub, base } = work
  const source = succeeded(await hub.branches.inspectSource(work.source))
  renameSync(work.hubDirectory, `${work.hubDirectory}.moved`)
  mkdirSync(join(work.hubDirectory, 'muster'), { recursive: true })
  expect(succeeded(await hub.branches.importBase(project, source, undefined))).toMatchObject({ commit: base })

  renameSync(join(work.hubDirectory, 'HEAD'), join(work.hubDirectory, 'HEAD.lost'))
  writeFileSync(join(work.hubDirectory, 'marker'), '')
  failed(await hub.branches.importBase(project, source, undefined))
  expect(existsSync(join(work.hubDirectory, 'marker'))).toBe(true)
})
