import type { CommandNeeds } from '../command-needs.ts'
import type { AgentsFlag } from '../parse/flag-parsers.ts'
import type { Outcome } from '../problem.ts'
import { type RunFlags, runCommand } from './run.ts'

export type StartFlags = Omit<RunFlags, 'agent' | 'planner' | 'maxCycles' | 'parallel'> & {
  readonly agent?: AgentsFlag
  readonly input?: Readonly<Record<string, string>>
}

/** Starts a job that follows a playbook, without a planner, and follows it. */
export function startCommand(
  needs: CommandNeeds,
  playbook: string,
  goal: string,
  { input = {}, agent = { agents: {} }, ...flags }: StartFlags,
): Promise<Outcome> {
  const goalPlaybook = { name: playbook, inputs: input, ...agent }
  return runCommand(needs, goal, { ...flags, goalPlaybook })
}
