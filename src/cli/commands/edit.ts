import type { MusterClient, WireJob } from '../../client/index.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { apiProblem } from '../api-problem.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { EXIT } from '../exit-code.ts'
import { printResult } from '../print-result.ts'
import type { Outcome, Problem } from '../problem.ts'
import { readInstructions } from '../read-text.ts'
import { applyWords, documentLines, documentName } from '../render/job/document-lines.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { withAnswer, withChanged, withFound } from '../with-daemon.ts'

export type EditFlags = { readonly goal?: string; readonly tasks?: string }

/** Changes the goal or the requested tasks from the next cycle on. Without a change, prints the history of both. */
export async function editCommand(
  needs: CommandNeeds,
  text: string | undefined,
  flags: EditFlags,
): Promise<Outcome> {
  if (flags.goal === '-' && flags.tasks === '-') return failure(onlyOneInput())
  const goal =
    flags.goal === undefined
      ? undefined
      : await readInstructions(needs.surroundings, flags.goal, {
          noun: 'goal',
          command: `${commandOf(text)} --goal`,
        })
  if (goal?.ok === false) return goal
  const tasks = flags.tasks === undefined ? undefined : await readTasks(needs, text, flags.tasks)
  if (tasks?.ok === false) return tasks
  if (goal === undefined && tasks === undefined)
    return withFound(needs, text, ['job'], (client, { id }) => showHistory(needs, client, id))
  return withChanged(needs, text, ['job'], (client, { id }) =>
    edit(needs, client, id, { goal: goal?.value, tasks: tasks?.value }),
  )
}

/** The requested tasks may be empty; a goal may not. */
async function readTasks(
  needs: CommandNeeds,
  job: string | undefined,
  given: string,
): Promise<Result<string, Problem>> {
  if (given.trim() === '') return success('')
  return readInstructions(needs.surroundings, given, { noun: 'tasks', command: `${commandOf(job)} --tasks` })
}

function commandOf(job: string | undefined): string {
  return job === undefined ? 'muster edit' : `muster edit ${safeLine(job)}`
}

type Texts = { readonly goal: string | undefined; readonly tasks: string | undefined }

async function edit(needs: CommandNeeds, client: MusterClient, id: string, texts: Texts): Promise<Outcome> {
  const { output } = needs
  const before = await client.getJob(id)
  if (!before.ok) return failure(apiProblem(before.failure))
  let job: WireJob | undefined
  for (const change of changesOf(client, id, texts)) {
    const edited = await change()
    if (!edited.ok) return failure(apiProblem(edited.failure))
    job = edited.value
  }
  if (job === undefined) return success(EXIT.done)
  output.note(`see the history: ${output.hint(`muster edit ${id}`)}`)
  const lines = editedLines(before.value, job, texts)
  return printResult(
    needs,
    job,
    lines.map((line) => `${id}: ${line}`),
  )
}

/** Sending the same text again creates no new version. */
function editedLines(before: WireJob, after: WireJob, { goal, tasks }: Texts): readonly string[] {
  const given = [
    ...(goal === undefined ? [] : (['goal'] as const)),
    ...(tasks === undefined ? [] : (['task-list'] as const)),
  ]
  return given.map((kind) => {
    const versionIn = (job: WireJob) => job.waitingDocuments.find((waiting) => waiting.kind === kind)?.number
    const number = versionIn(after)
    if (number === undefined) return `${documentName(kind)} unchanged: this text is already in use`
    const applied = `${documentName(kind)} (version ${number}) ${applyWords(kind)}`
    return number === versionIn(before) ? `${applied}, unchanged` : applied
  })
}

function changesOf(client: MusterClient, id: string, { goal, tasks }: Texts) {
  return [
    ...(goal === undefined ? [] : [() => client.editGoal(id, goal)]),
    ...(tasks === undefined ? [] : [() => client.editTaskList(id, tasks)]),
  ]
}

function showHistory(needs: CommandNeeds, client: MusterClient, id: string): Promise<Outcome> {
  const { output, surroundings } = needs
  return withAnswer(client.listDocuments(id), (page) =>
    withAnswer(client.getJob(id), ({ status }) => {
      const isFinished = status === 'completed' || status === 'cancelled' || status === 'error'
      const history = { versions: page.items, isFinished }
      const now = surroundings.now()
      const lines = page.items.flatMap((document) => documentLines(document, history, now, output.paint))
      if (page.nextCursor !== undefined) output.note('older versions are not shown')
      return printResult(needs, page, lines)
    }),
  )
}

function onlyOneInput(): Problem {
  return {
    type: 'input-twice',
    exitCode: EXIT.usage,
    message: 'only one of --goal and --tasks can read standard input',
    next: 'muster edit <job> --goal @GOAL.md --tasks -',
  }
}
