import { z } from 'zod'
import type { WireApproval } from '../../client/index.ts'
import type { Look } from './look.ts'
import { visibleText } from './safe-text.ts'

const landingSchema = z.object({
  branch: z.string(),
  commit: z.string(),
  files: z.array(
    z.object({ path: z.string(), added: z.number(), removed: z.number(), isBinary: z.boolean() }),
  ),
  patch: z.string(),
  isCut: z.boolean(),
})

const SHOWN_FILES = 30

/** What would land, as a person reads it; nothing when it is another kind of question. */
export function landingApprovalLines(
  approval: Pick<WireApproval, 'id' | 'action'>,
  look: Look,
  extent: 'brief' | 'whole',
): readonly string[] | undefined {
  const parsed = approval.action.tool === 'land' ? landingSchema.safeParse(approval.action.input) : undefined
  if (parsed?.success !== true) return undefined
  const { branch, commit, files, patch, isCut } = parsed.data
  const { paint, hint } = look
  const listed = files.slice(0, SHOWN_FILES).map((file) => {
    const counts = file.isBinary ? 'binary' : `+${file.added} -${file.removed}`
    return `         ${counts.padEnd(10)} ${oneLine(file.path)}`
  })
  const more = files.length > SHOWN_FILES ? [`         and ${files.length - SHOWN_FILES} more files`] : []
  const body = extent === 'whole' ? patchLines(patch, look) : []
  const rest =
    isCut || extent === 'brief'
      ? [paint('dim', `         all of it: ${hint(`muster diff ${approval.id}`)}`)]
      : []
  return [
    `  what   ${paint('strong', `land ${commit.slice(0, 10)} on ${oneLine(branch)}`)}`,
    ...listed,
    ...more,
    ...body,
    ...rest,
  ]
}

function patchLines(patch: string, { paint }: Look): readonly string[] {
  return patch.split('\n').map((line) => {
    const shown = visibleText(line)
    if (line.startsWith('+')) return paint('good', shown)
    return line.startsWith('-') ? paint('bad', shown) : shown
  })
}

function oneLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n')
}
