import type { WirePlaybook } from '../../client/index.ts'
import { hasFormat } from '../../domain/playbook/has-format.ts'
import type { RoleStage } from '../../domain/playbook/stage.ts'
import { type PinnedFiles, schemaOf } from '../../domain/run/output-schema.ts'
import { sampleAnswer } from '../../domain/run/sample-answer.ts'
import type { WantedAnswers } from './read-answers.ts'
import type { OutcomePlan } from './read-outcomes.ts'

type Scene = { readonly when: object; readonly steps: readonly object[] }

export type SimulationPlan = {
  readonly playbook: WirePlaybook
  readonly files: PinnedFiles
  readonly outcomes: OutcomePlan
  readonly answers: WantedAnswers
}

/** What the scripted agent does in each stage and round, so that the stage ends as planned. */
export function simulatedScript(plan: SimulationPlan): readonly Scene[] {
  return Object.entries(plan.playbook.stages).flatMap(([name, stage]) => {
    if (stage.type !== 'role') return []
    const outcomes = plan.outcomes[name] ?? []
    return outcomes.map((outcome, index) => ({
      when: { stage: name, ...(index < outcomes.length - 1 ? { round: index + 1 } : {}) },
      steps: stepsFor(plan, name, stage, outcome),
    }))
  })
}

function stepsFor(plan: SimulationPlan, name: string, stage: RoleStage, outcome: string): readonly object[] {
  if (outcome === 'failed' || outcome === 'none') return [{ exit: 1 }]
  const answer = { ...answerFor(plan, stage, outcome), ...plan.answers[name] }
  const work = { append: { path: `simulated/${name}.txt`, text: `${outcome}\n` } }
  return [...(hasFormat(stage.output, 'change') ? [work] : []), { result: answer }]
}

function answerFor({ files }: SimulationPlan, { output }: RoleStage, outcome: string): object {
  const schema = schemaOf(output, files)
  const answer = { ...((schema.ok ? sampleAnswer(schema.value) : {}) as object) }
  if (!hasFormat(output, 'review')) return answer
  const verdict = outcome === 'some' ? 'APPROVED' : outcome
  const isApproved = verdict === 'APPROVED'
  // Whether numbered criteria are shown depends on the run, and naming them is optional.
  return { ...answer, verdict, criteria: [], ...(isApproved ? { issues: [] } : {}) }
}

/** A shell script that passes or fails by the stage, round and branch that it runs in. Outside of runs, it passes. */
export function simulatedCheck({ playbook, outcomes }: SimulationPlan): string {
  const cases = Object.entries(playbook.stages).flatMap(([name, { type }]) =>
    type === 'checks'
      ? (outcomes[name] ?? []).map((outcome, index, all) => {
          const round = index < all.length - 1 ? String(index + 1) : '*'
          return `  ${name}:${round}:${outcome === 'one' ? '[2-9]' : '*'}) ${exitFor(outcome)} ;;`
        })
      : [],
  )
  const where = '"$MUSTER_STAGE:$MUSTER_STAGE_ROUND:$MUSTER_STAGE_BRANCH"'
  return [`case ${where} in`, ...cases, '  *) exit 0 ;;', 'esac', ''].join('\n')
}

function exitFor(outcome: string): string {
  return ['fail', 'none', 'one'].includes(outcome) ? 'echo "simulated failure"; exit 1' : 'exit 0'
}
