import type { WireRun, WireValidPlaybook } from '../../client/index.ts'
import { isComplete } from '../../domain/playbook/route.ts'
import { failure, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { cleanUp } from '../demo/clean-up.ts'
import { insidePlayground } from '../demo/inside-playground.ts'
import { makePlayground } from '../demo/playground.ts'
import { EXIT } from '../exit-code.ts'
import type { Outcome, Problem } from '../problem.ts'
import { counted } from '../render/text/counted.ts'
import { elapsed } from '../render/text/elapsed.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { playSimulation, type Simulated } from '../simulate/play-simulation.ts'
import { readAnswers } from '../simulate/read-answers.ts'
import { readOutcomes } from '../simulate/read-outcomes.ts'
import { createRouteReader, type RouteStep, routeLine } from '../simulate/route-lines.ts'
import { readPlaybookFiles, simulatedRepository, simulatedTools } from '../simulate/simulated-files.ts'
import { stopSignals } from '../stop-signals.ts'
import { withDaemon } from '../with-daemon.ts'
import { printVerdicts, readPlaybook } from './playbooks.ts'

export type SimulateFlags = {
  readonly outcomes?: Readonly<Record<string, string>>
  readonly answer?: Readonly<Record<string, string>>
  readonly input?: Readonly<Record<string, string>>
}

/** A simulation of the largest playbook takes a minute or two. */
const LONGEST_MS = 10 * 60_000

/** Plays a playbook with agents that only act as if, in a temporary home and repository, and prints its route. */
export async function simulateCommand(
  needs: CommandNeeds,
  text: string,
  flags: SimulateFlags,
): Promise<Outcome> {
  return withDaemon(needs, async (client) => {
    const read = await readPlaybook(needs, client, text)
    if (!read.ok) return failure(apiProblem(read.failure))
    if (read.value.type === 'invalid') return printVerdicts(needs, read.value, [read.value])
    const plan = await planOf(read.value, flags)
    return 'exitCode' in plan ? failure(plan) : await simulate(needs, plan)
  })
}

async function planOf(view: WireValidPlaybook, flags: SimulateFlags): Promise<Simulated | Problem> {
  const { playbook } = view
  const outcomes = readOutcomes(playbook, flags.outcomes ?? {})
  if (!outcomes.ok) return wrong(outcomes.failure, view)
  const answers = readAnswers(playbook, flags.answer ?? {})
  if (!answers.ok) return wrong(answers.failure, view)
  const files = await readPlaybookFiles(view)
  return {
    view,
    playbook,
    files,
    outcomes: outcomes.value,
    answers: answers.value,
    inputs: flags.input ?? {},
  }
}

function wrong(message: string, { name }: WireValidPlaybook): Problem {
  return {
    type: 'usage',
    exitCode: EXIT.usage,
    message: safeLine(message),
    next: `muster playbooks show ${name}`,
  }
}

async function simulate(outer: CommandNeeds, simulated: Simulated): Promise<Outcome> {
  const { output, surroundings } = outer
  const startedAt = surroundings.now().getTime()
  using stop = stopSignals(surroundings)
  const playground = await makePlayground(surroundings, {
    prefix: 'muster-sim-',
    repository: 'simulated',
    message: 'Add the first files',
    filesIn: (directory) => ({
      repository: simulatedRepository(simulated, directory),
      beside: simulatedTools(simulated),
    }),
  })
  const needs = insidePlayground({ ...outer, output: { ...output, note: () => undefined } }, playground)
  const signal = AbortSignal.any([stop.signal, output.closed, AbortSignal.timeout(LONGEST_MS)])
  const steps: RouteStep[] = []
  try {
    const width =
      Math.max(...Object.keys(simulated.playbook.stages).map(({ length }) => length)) + ' (round 2)'.length
    const readRoute = createRouteReader(simulated.playbook)
    const played = await playSimulation(needs, playground, simulated, signal, (event) => {
      for (const step of readRoute(event)) {
        steps.push(step)
        output.printExact(routeLine(simulated.playbook, step, width))
      }
    })
    if (!played.ok) return played
    if (played.value === undefined)
      return stop.signal.aborted ? success(EXIT.interrupted) : failure(tooLong())
    return report(outer, simulated, played.value, steps, surroundings.now().getTime() - startedAt)
  } finally {
    await cleanUp(needs, playground)
  }
}

function report(
  { output }: CommandNeeds,
  { view, outcomes }: Simulated,
  run: WireRun,
  steps: readonly RouteStep[],
  tookMs: number,
): Outcome {
  const { end = 'failed', reason, counters } = run
  const isGood = isComplete(end)
  const visits = run.visits.length
  const data = {
    playbook: view.name,
    end,
    reason,
    steps,
    counters,
    visits,
    visitBound: view.visitBound,
    outcomes,
  }
  output.value({ success: true, data })
  const why = reason === undefined ? '' : `: ${safeLine(reason)}`
  output.printProse(`${output.paint(isGood ? 'good' : 'warn', `end.${end}`)}${why}`)
  const fate = end === 'partial' || end === 'unverified' ? `; ${FATES[view.playbook.result.partial]}` : ''
  output.printProse(`${counted(visits, 'visit')} of at most ${view.visitBound}, in ${elapsed(tookMs)}${fate}`)
  return success(isGood ? EXIT.done : EXIT.failed)
}

/** What a real run would do with its work. */
const FATES = {
  ask: 'a real run would ask you whether to land its work',
  land: 'a real run would land its work',
  keep: 'a real run would keep its work without landing it',
} as const

function tooLong(): Problem {
  return {
    type: 'simulation-failed',
    exitCode: EXIT.failed,
    message: `the simulation took longer than ${LONGEST_MS / 60_000} minutes and was stopped`,
    next: 'muster doctor',
  }
}
