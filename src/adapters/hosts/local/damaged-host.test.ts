import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createHostTrial } from '../../../../test/support/hosts/host-trial.ts'

it('removes a session whose records are damaged, and its host then ends the program', async () => {
  await using trial = await createHostTrial({ napSeconds: 0.2 })
  const id = await trial.run('trap "" TERM; echo up; while :; do sleep 0.1; done')
  await trial.printed(id, 'up')
  const directory = trial.host.directoryOf(id)
  for (const name of ['pid', 'missing.out']) {
    await rm(join(directory, name), { force: true })
    await mkdir(join(directory, name))
  }
  expect(await trial.host.lostOutput(id, 'out')).toBeUndefined()
  await expect(trial.host.stop(id, 0)).rejects.toThrow('EISDIR')
  await trial.host.remove(id)
  await expect.poll(() => trial.survivors(), { timeout: 10_000 }).toEqual([])
  expect(await trial.host.list()).toEqual([])
})
