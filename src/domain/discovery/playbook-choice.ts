import type { Playbook } from '../playbook/playbook.ts'
import type { Scalar } from '../playbook/stage.ts'
import { failure, type Result, success } from '../result.ts'
import { readInputs } from '../run/read-inputs.ts'
import { childHashes, type TaskDraft, type TaskPlaybook } from '../task/task.ts'
import { type AnswerFields, isAnswerFields, textOf } from './answer-fields.ts'

/** A playbook that a planner names for a task, before anyone knows whether it exists. */
export type PlaybookChoice = { readonly name: string; readonly inputs: Readonly<Record<string, Scalar>> }

export type PlannedDraft = TaskDraft & { readonly choice?: PlaybookChoice }

/** The playbook that a task of an answer names; undefined if it names none. */
export function readChoice({ playbook, inputs }: AnswerFields): PlaybookChoice | undefined {
  const name = textOf(playbook)
  return name === '' ? undefined : { name, inputs: isAnswerFields(inputs) ? scalarsIn(inputs) : {} }
}

function scalarsIn(inputs: object): PlaybookChoice['inputs'] {
  const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => isScalar(value)))
}

/** The names of the playbooks in an answer that has not been checked yet. */
export function namedPlaybooks(answer: unknown): readonly string[] {
  const tasks = isAnswerFields(answer) && Array.isArray(answer.tasks) ? answer.tasks : []
  return [...new Set(tasks.filter(isAnswerFields).flatMap((task) => readChoice(task)?.name ?? []))]
}

/** The playbooks that tasks name, or why one can't be used, as the end of a sentence that begins with its name. */
export type Offers = ReadonlyMap<
  string,
  Result<
    {
      readonly hash: string
      readonly playbook: Playbook
      readonly children: readonly { readonly name: string; readonly hash: string }[]
    },
    string
  >
>

/** Gives each task the playbook that it names. A task whose playbook can't be used keeps none, with the problem. */
export function applyChoices(
  drafts: readonly PlannedDraft[],
  offers: Offers,
): { readonly drafts: readonly TaskDraft[]; readonly problems: readonly string[] } {
  const problems: string[] = []
  const applied = drafts.map(({ choice, ...draft }, index): TaskDraft => {
    if (choice === undefined) return draft
    const playbook = resolve(choice, offers)
    if (playbook.ok) return { ...draft, playbook: playbook.value }
    problems.push(`task ${index + 1} names the playbook "${choice.name.slice(0, 100)}", ${playbook.failure}`)
    return draft
  })
  return { drafts: applied, problems }
}

function resolve({ name, inputs }: PlaybookChoice, offers: Offers): Result<TaskPlaybook, string> {
  const offer = offers.get(name) ?? failure('which does not exist')
  if (!offer.ok) return offer
  const { hash, playbook, children } = offer.value
  const read = readInputs(playbook, inputs)
  if (!read.ok) return failure(`but its inputs can't be used: ${read.failure}`)
  return success({ name: playbook.name, hash, inputs: read.value, ...childHashes(children) })
}
