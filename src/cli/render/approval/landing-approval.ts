import { z } from 'zod'
import type { WireApproval } from '../../../client/index.ts'
import { fileChangeSchema } from '../../../contract/diff.ts'
import { checkLines } from '../task/check-lines.ts'
import { changedPath, changeWords } from '../task/file-change-words.ts'
import type { Look } from '../text/look.ts'
import { safeHead, safeLine, visibleText } from '../text/safe-text.ts'

const landingSchema = z.object({
  branch: z.string(),
  commit: z.string(),
  files: z.array(fileChangeSchema),
  patch: z.string(),
  isCut: z.boolean(),
})

const SHOWN_FILES = 30

/** What would land, as a person reads it: what it is, and line by line, to stand at the end. */
type LandingApproval = { readonly what: readonly string[]; readonly patch: readonly string[] }

/** Nothing when it is another kind of question. */
export function landingApproval(
  approval: Pick<WireApproval, 'id' | 'action' | 'evidence'>,
  look: Look,
): LandingApproval | undefined {
  const parsed = approval.action.tool === 'land' ? landingSchema.safeParse(approval.action.input) : undefined
  if (parsed?.success !== true) return undefined
  const { branch, commit, files, patch, isCut } = parsed.data
  const { paint, hint } = look
  const shown = files.slice(0, SHOWN_FILES)
  const width = Math.max(0, ...shown.map((file) => changeWords(file).length))
  const listed = shown.map((file) => `         ${changeWords(file).padEnd(width)}  ${changedPath(file)}`)
  const more = files.length > SHOWN_FILES ? [`         and ${files.length - SHOWN_FILES} more files`] : []
  const rest = isCut ? [paint('dim', `all of it: ${hint(`muster diff ${approval.id}`)}`)] : []
  return {
    what: [
      `  what   ${paint('strong', `land ${commit.slice(0, 10)} on ${oneLine(branch)}`)}`,
      ...listed,
      ...more,
      ...evidenceLines(approval, look),
    ],
    patch: ['', ...patchLines(patch, look), ...rest],
  }
}

/** The tasks that land with it, as the question names them. */
export function landingTasks({ action }: Pick<WireApproval, 'action'>): readonly string[] {
  if (action.tool !== 'land') return []
  return (action.reason ?? '').split('; ').flatMap((title) => /^\d+\.\d+(?= )/.exec(title)?.[0] ?? [])
}

function evidenceLines({ evidence }: Pick<WireApproval, 'evidence'>, { paint }: Look): readonly string[] {
  if (evidence === undefined) return []
  const checks = checkLines(evidence.checks, paint)
  return [
    ...(checks.length === 0 ? [paint('warn', '  no checks are configured: nothing was tested')] : checks),
    ...evidence.reviews.map(({ task, agent, verdict, summary }) => {
      const why = summary === '' ? '' : `: ${safeHead(summary)}`
      return `  review of ${safeLine(task)} by ${safeLine(agent)}: ${verdict}${why}`
    }),
  ]
}

function patchLines(patch: string, { paint }: Look): readonly string[] {
  return patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const shown = visibleText(line)
      if (line.startsWith('+')) return paint('good', shown)
      return line.startsWith('-') ? paint('bad', shown) : shown
    })
}

function oneLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n')
}
