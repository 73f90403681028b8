import { type Command, InvalidArgumentError, Option } from 'commander'
import { FAILING_BASE_CHOICES } from '../domain/job/base-state.ts'
import type { RunFlags, TaskPlaybookFlags } from './commands/run.ts'
import type { StartFlags } from './commands/start.ts'
import type { Declare, Start } from './declare.ts'
import { declareNotify } from './declare-notify.ts'
import {
  agentsFlag,
  countFlag,
  dollarsFlag,
  durationFlag,
  inputFlag,
  repeatedFlag,
} from './parse/flag-parsers.ts'

export function declareRun(declare: Declare, start: Start): void {
  const run = withJobOptions(
    declare('run', 'start a job in the current repository and follow it')
      .argument('<goal>', GOAL)
      .option('--agent <name>', 'agent that does the work, and plans it by default')
      .option('--planner <name>', 'agent that plans the work')
      .option('--max-cycles <n>', 'stop after this many cycles', countFlag(100_000))
      .option('--playbook <name>', 'playbook for every task that names no other')
      .option('--input <name=value>', 'set an input of the playbook (repeatable)', inputFlag)
      .option('--parallel <n>', 'work on this many tasks at once', countFlag(256))
      .addOption(
        new Option(
          '--mode <mode>',
          'who must approve work, besides the checks: no one (auto), a reviewer agent (review) or you (approve)',
        ).choices(['auto', 'review', 'approve']),
      ),
  ).action((goal: string, flags: RunFlags & TaskPlaybookFlags, command: Command) =>
    start(command, async (needs) =>
      (await import('./commands/run.ts')).runPlannedCommand(needs, goal, flags),
    ),
  )
  declareNotify(run)
}

const START_MODES = ['auto', 'approve'] as const
type StartMode = (typeof START_MODES)[number]

/** An error of its own for `review`, because the list of choices doesn't say what to use instead. */
function startMode(text: string): StartMode {
  const mode = START_MODES.find((known) => known === text)
  if (mode !== undefined) return mode
  throw new InvalidArgumentError(
    text === 'review'
      ? 'The playbook decides who reviews its work: use one with a review, such as reviewed.'
      : `Allowed choices are ${START_MODES.join(', ')}.`,
  )
}

export function declareStart(declare: Declare, start: Start): void {
  const command = withJobOptions(
    declare('start', 'start a job that follows a playbook: several roles work on the goal, stage by stage')
      .argument('<playbook>', 'name of the playbook; see `muster playbooks list`')
      .argument('<goal>', GOAL)
      .option('--input <name=value>', 'set an input of the playbook (repeatable)', inputFlag)
      .option(
        '--agent <name|role=name>',
        'use this agent for every role, or for one role (repeatable)',
        agentsFlag,
      )
      .addOption(
        new Option(
          '--mode <mode>',
          'who must approve work, besides the checks: no one (auto) or you (approve); for a reviewer, use a playbook such as reviewed',
        )
          .choices(START_MODES)
          .argParser(startMode),
      ),
  ).action((playbook: string, goal: string, flags: StartFlags, given: Command) =>
    start(given, async (needs) =>
      (await import('./commands/start.ts')).startCommand(needs, playbook, goal, flags),
    ),
  )
  declareNotify(command)
}

const GOAL = 'what to achieve: text (@@ for a leading @), @file, or - for standard input'

/** The options of everything that starts a job. */
function withJobOptions(command: Command): Command {
  return command
    .option(
      '--check <command>',
      'command that must pass before work lands; replaces the configured checks (repeatable)',
      repeatedFlag,
    )
    .option('--time-limit <duration>', 'stop after this long, for example 90m', durationFlag)
    .option('--budget <dollars>', 'stop when the agents have cost this much, for example 5.00', dollarsFlag)
    .option('-d, --detach', 'start the job in the background and exit')
    .option('--base <branch>', 'start from this branch instead of the checked-out one')
    .option('--branch <name>', 'name of the working branch')
    .option('--include-uncommitted', 'start from your files as they are, not from the last commit')
    .addOption(
      new Option(
        '--on-failing-base <choice>',
        "what to do if the base already fails its checks: ask you, stop the job, continue (and reject work only for new failures), fix the base first, or ignore (don't check the base at all)",
      ).choices(FAILING_BASE_CHOICES),
    )
}
