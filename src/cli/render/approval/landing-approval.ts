import type { WireApproval } from '../../../client/index.ts'
import { NOTHING_CHECKED } from '../../../domain/landing/no-checks.ts'
import { checkLines } from '../task/check-lines.ts'
import { changedPath, changeWords } from '../task/file-change-words.ts'
import type { Display } from '../text/display.ts'
import { safeHead, safeLine, visibleLine, visibleText } from '../text/safe-text.ts'

/** Enough to see what the work is about; `muster diff` lists every file. */
const SHOWN_FILES = 8

/** What would land, for a person: a summary, and the patch, which is printed last. */
type LandingApproval = { readonly what: readonly string[]; readonly patch: readonly string[] }

/** Undefined if the approval is not about a landing. */
export function landingApproval(
  approval: Pick<WireApproval, 'id' | 'action' | 'evidence'>,
  display: Display,
): LandingApproval | undefined {
  const { action } = approval
  if (action.type !== 'landing') return undefined
  const { branch, commit, diff } = action
  const { files = [], patch = '', isCut = true, problem } = diff ?? {}
  const { paint, hint, shortId } = display
  const shown = files.slice(0, SHOWN_FILES)
  const width = Math.max(0, ...shown.map((file) => changeWords(file).length))
  const listed = shown.map((file) => `         ${changeWords(file).padEnd(width)}  ${changedPath(file)}`)
  const left = files.length - shown.length
  const more =
    left > 0 ? [`         and ${left.toLocaleString('en')} more ${left === 1 ? 'file' : 'files'}`] : []
  const rest = isCut ? [paint('dim', `full diff: ${hint(`muster diff ${shortId(approval.id)}`)}`)] : []
  return {
    what: [
      `  what   ${paint('strong', `land ${commit.slice(0, 10)} on ${visibleLine(branch)}`)}`,
      ...(problem === undefined ? [] : [`         ${safeLine(problem)}`]),
      ...listed,
      ...more,
      ...evidenceLines(approval, display),
    ],
    patch: ['', ...patchLines(patch, display), ...rest],
  }
}

function evidenceLines({ evidence }: Pick<WireApproval, 'evidence'>, { paint }: Display): readonly string[] {
  if (evidence === undefined) return []
  const checks = checkLines(evidence.checks, paint)
  return [
    ...(checks.length === 0 ? [paint('warn', `  ${NOTHING_CHECKED}`)] : checks),
    ...evidence.reviews.map(({ task, agent, verdict, summary }) => {
      const why = summary === '' ? '' : `: ${safeHead(summary)}`
      return `  review of ${safeLine(task)} by ${safeLine(agent)}: ${verdict}${why}`
    }),
  ]
}

function patchLines(patch: string, { paint }: Display): readonly string[] {
  return patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const shown = visibleText(line)
      if (line.startsWith('+')) return paint('good', shown)
      return line.startsWith('-') ? paint('bad', shown) : shown
    })
}
