/** What stands for a record in documents, such as `job_0mw`, `job_...` and `<job>` for a job. */
export type Placeholder = 'JOB' | 'SES' | 'APR' | 'MSG' | 'TSK' | 'ATT' | 'PRJ' | 'RUN' | 'TASK'

const WRITTEN =
  /\b(job|ses|apr|msg|tsk|att|prj|run)_(?:\.\.\.|…|[0-9a-z]+)|<(job|session|task)>|\bt\d+-\d+\b/g
const IN_BRACKETS: Readonly<Record<string, Placeholder>> = { job: 'JOB', session: 'SES', task: 'TASK' }

/** The name under which the plans list a command: independent of the IDs and texts that a document shows. */
export function nameOf(text: string): string {
  return replaceIds(scriptName(text), (placeholder) => placeholder)
    .replaceAll(/"\$\(.*\)"/g, '"$(...)"')
    .replaceAll(/'[^']*'|"[^"]*"/g, (quoted) =>
      quoted.length > 2 && !quoted.includes('$') ? 'TEXT' : quoted,
    )
    .replaceAll(/\s*\\\n\s*/g, ' ')
}

/** The command with IDs of real records. */
export function withIds(text: string, ids: Readonly<Partial<Record<Placeholder, string>>>): string {
  return replaceIds(text, (placeholder) => {
    const id = ids[placeholder]
    if (id === undefined) throw new Error(`the plan names no record for ${placeholder}`)
    return id
  })
}

function replaceIds(text: string, replace: (placeholder: Placeholder) => string): string {
  return text.replaceAll(WRITTEN, (_, prefix?: string, bracket?: string) => {
    if (prefix !== undefined) return replace(prefix.toUpperCase() as Placeholder)
    return replace(IN_BRACKETS[bracket ?? 'task'] ?? 'TASK')
  })
}

/** A block with a here-document is known by its last line, for which the others prepare. */
function scriptName(text: string): string {
  return text.includes('<<') ? `script: ${text.trim().split('\n').at(-1)}` : text
}
