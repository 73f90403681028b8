import { expect, it } from 'vitest'
import { testRepository } from '../../../test/support/test-repository.ts'
import { findMerge } from './find-merge.ts'

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' }

/** A repository with a commit on the branch `work`, and main one commit ahead of where that began. */
async function withWork() {
  const repository = await testRepository({ 'a.txt': 'one\n' })
  const head = async () => (await repository.git('rev-parse', 'HEAD')).trim()
  await repository.git('switch', '--quiet', '--create', 'work')
  await repository.write({ 'b.txt': 'two\n' })
  await repository.commit('Two')
  const commit = await head()
  await repository.git('switch', '--quiet', 'main')
  return {
    ...repository,
    tip: commit,
    head,
    find: () => findMerge(environment, repository.path, 'main', commit),
  }
}

it('finds when a branch got a commit, and where the branch was then', async () => {
  await using work = await withWork()
  expect(await work.find()).toBeUndefined()
  await work.write({ 'c.txt': 'mine\n' })
  await work.commit('Mine')
  await work.git('merge', '--quiet', '--no-edit', 'work')
  const merged = await work.head()
  await work.write({ 'd.txt': 'later\n' })
  await work.commit('Later')
  const found = await work.find()
  expect(found?.commit).toBe(merged)
  expect(Math.abs(Date.now() - (found?.at.getTime() ?? 0))).toBeLessThan(60_000)
})

it('finds a fast-forward too', async () => {
  await using work = await withWork()
  await work.git('merge', '--quiet', '--ff-only', 'work')
  expect(await work.find()).toMatchObject({ commit: work.tip })
})

it('knows nothing without a reflog that reaches back far enough, or without the repository', async () => {
  await using work = await withWork()
  await work.git('merge', '--quiet', '--ff-only', 'work')
  await work.git('reflog', 'expire', '--expire=now', 'refs/heads/main')
  expect(await work.find()).toBeUndefined()
  expect(await findMerge(environment, '/nonexistent', 'main', work.tip)).toBeUndefined()
})
