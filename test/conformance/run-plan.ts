import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { LaunchPlan } from '../../src/ports/agent-provider.ts'

export type PlanRun = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errorOutput: string
}

/** Runs a provider's plan, with only the planned environment, until its program exits. */
export async function runPlan(plan: LaunchPlan, cwd: string, limitMs = 30_000): Promise<PlanRun> {
  const [program, ...rest] = plan.command
  const child = spawn(program, rest, {
    cwd,
    env: plan.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  const [output, errorOutput, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ])
  return { code, signal, output, errorOutput }
}
