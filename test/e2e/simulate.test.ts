import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesWith } from '../support/processes.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const shared = shareDaemon()
const BIN = resolve(import.meta.dirname, '../../src/bin.ts')

describe('muster playbooks simulate', () => {
  it('plays a playbook through the real engine, in a home of its own, and leaves nothing behind', async () => {
    await using temporary = await temporaryDirectory('sim')
    const simulated = await runCommandLine(
      ['playbooks', 'simulate', 'reviewed', '--outcomes', 'review=NEEDS_REVISION,APPROVED', '--json'],
      { home: shared.home.home, environment: { TMPDIR: temporary.path } },
    )
    expect(simulated.stderr).toBe('')
    expect(JSON.parse(simulated.stdout)).toMatchObject({
      success: true,
      data: {
        playbook: 'reviewed',
        end: 'land',
        visits: 6,
        counters: { 'review.NEEDS_REVISION': 1 },
        steps: [
          { stage: 'implement', outcome: 'done', to: 'check' },
          { stage: 'check', outcome: 'pass', to: 'review' },
          { stage: 'review', outcome: 'NEEDS_REVISION', to: 'revise' },
          { stage: 'revise', outcome: 'done', to: 'check' },
          { stage: 'check', round: 2, outcome: 'pass', to: 'review' },
          { stage: 'review', round: 2, outcome: 'APPROVED', to: 'end.land' },
        ],
      },
    })
    expect(simulated.code).toBe(0)
    expect(await readdir(temporary.path)).toEqual([])
    expect(take(await shared.client.listJobs()).items).toEqual([])
  })

  it('chooses by inputs and answers, lets gates expire, and exits with 1 if the work is only partial', async () => {
    const options = ['--answer', 'criteria.needsDesign=true', '--input', 'gate=design']
    const simulated = await runCommandLine(
      ['playbooks', 'simulate', 'development', ...options, '--outcomes', 'design_gate=denied,expired'],
      { home: shared.home.home },
    )
    expect(simulated.stdout).toContain('-> architecture\n')
    expect(simulated.stdout).toContain('denied -> design_revision  (1 of 2)\n')
    expect(simulated.stdout).toContain('expired -> end.partial\n')
    expect(simulated.stdout).toContain('a real run would ask you whether to land its work')
    expect(simulated.code).toBe(1)
  })

  it('removes everything when it is interrupted', async () => {
    await using temporary = await temporaryDirectory('sim')
    const child = spawn(process.execPath, [BIN, 'playbooks', 'simulate', 'development'], {
      cwd: '/',
      env: { ...process.env, MUSTER_HOME: shared.home.home, TMPDIR: temporary.path },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const exited = once(child, 'exit')
    child.kill('SIGINT')
    expect(await exited).toEqual([130, null])
    expect(await readdir(temporary.path)).toEqual([])
    expect(await processesWith(temporary.path)).toEqual([])
  })
})
