import type { CommandNeeds } from '../command-needs.ts'
import type { Outcome } from '../problem.ts'
import { type RunFlags, runCommand } from './run.ts'

export type StartFlags = Omit<RunFlags, 'planner' | 'maxCycles' | 'parallel'> & {
  readonly input?: Readonly<Record<string, string>>
}

/** Starts a job that follows a playbook, without a planner, and follows it. */
export function startCommand(
  needs: CommandNeeds,
  playbook: string,
  goal: string,
  { input = {}, ...flags }: StartFlags,
): Promise<Outcome> {
  return runCommand(needs, goal, { ...flags, goalPlaybook: { name: playbook, inputs: input } })
}
