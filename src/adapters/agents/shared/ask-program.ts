import { execa } from 'execa'
import type { ReadinessRequest } from '../../../ports/agent-provider.ts'
import { type InstalledProgram, planInstalled } from './installed-program.ts'

const PATIENCE_MS = 10_000
const MAX_BYTES = 64 * 1024

/**
 * Runs an agent's program once, with the variables that its sessions get, and returns what it prints. Undefined if it
 * can't be run or doesn't answer in time. It runs outside the repository, whose settings nobody has agreed to.
 */
export async function askProgram(
  program: InstalledProgram,
  request: ReadinessRequest,
  words: readonly string[],
): Promise<string | undefined> {
  const planned = await planInstalled(program, request, { arguments: words })
  if (!planned.ok) return undefined
  const [name, ...rest] = planned.value.command
  const asked = await execa(name, rest, {
    env: { ...planned.value.environment },
    extendEnv: false,
    cwd: '/',
    timeout: PATIENCE_MS,
    reject: false,
    stdin: 'ignore',
    maxBuffer: MAX_BYTES,
  })
  return asked.timedOut || asked.isMaxBuffer ? undefined : asked.stdout
}
