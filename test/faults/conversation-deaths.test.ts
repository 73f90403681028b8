import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CRASH_POINTS } from '../../src/ports/crash-points.ts'
import { acpStage, textsOf, workersOf } from '../support/acp-agent/acp-stage.ts'
import type { Deed } from '../support/acp-agent/deed.ts'
import { commit } from '../support/acp-project.ts'
import { until, waitForJob } from '../support/test-daemon.ts'

describe('a conversation with an agent', () => {
  it('continues after the daemon is killed six times, and nothing is said or done twice', async () => {
    const list = [
      ...Array.from({ length: 12 }, (_, n): Deed => ({ shell: `sleep 0.3; echo ${n} >> log.txt` })),
      { shell: 'git add log.txt && git commit -qm "Add log"' },
      { say: 'told %told% times' },
    ]
    await using it = await acpStage([list])
    let daemon = await it.home.start()
    const jobId = await it.startJob(daemon.client)
    for (let kill = 0; kill < 6; kill += 1) {
      await sleep(100 + kill * 150)
      await daemon.kill()
      daemon = await it.home.start()
    }
    const job = await waitForJob(daemon.client, jobId)
    expect(job.status).toBe('completed')
    const [worker] = await workersOf(daemon.client, jobId)
    expect(worker).toMatchObject({ processNumber: 1, ending: 'done' })
    expect(await textsOf(daemon.client, worker?.id ?? '')).toEqual(['told 1 times'])
    const lines = (await it.repository.git('show', `${job.workingBranch}:log.txt`)).split('\n')
    expect(lines).toEqual(Array.from({ length: 12 }, (_, n) => String(n)))
    expect((await it.promptsOf(worker)).trimEnd().split('\n')).toHaveLength(1)
  }, 180_000)

  const points = CRASH_POINTS.filter((name) => name.startsWith('conversation.'))
  it.each(points)(
    'continues if the daemon dies at %s',
    async (point) => {
      const list = [
        { ask: 'touch asked.txt' },
        { limitMs: 1_000 },
        commit('h.txt'),
        { say: 'told %told% times' },
      ]
      await using it = await acpStage([list], { permissions: 'ask' })
      let daemon = await it.home.start({ MUSTER_CRASH_AT: `${point}:1` })
      const jobId = await it.startJob(daemon.client)
      const allowAll = async () => {
        const asked = await daemon.client.listApprovals({ job: jobId, status: 'pending' })
        if (!asked.ok) return
        for (const { id } of asked.value.items) await daemon.client.allowApproval(id)
      }
      await until(async () => {
        if (daemon.process.signalCode !== null) return true
        await allowAll()
        return false
      })
      daemon = await it.home.start()
      let status = ''
      await until(async () => {
        await allowAll()
        const job = await daemon.client.getJob(jobId)
        status = job.ok ? job.value.status : ''
        return !['pending', 'running', ''].includes(status)
      })
      expect(status).toBe('completed')
      const [worker] = await workersOf(daemon.client, jobId)
      expect(worker).toMatchObject({ processNumber: 2, ending: 'done' })
      expect(await textsOf(daemon.client, worker?.id ?? '')).toEqual(['told 2 times'])
    },
    120_000,
  )
})
