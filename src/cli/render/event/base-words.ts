import type { WireEventOf } from '../../../contract/event.ts'
import { choiceLines } from '../job/base-lines.ts'
import { counted } from '../text/counted.ts'
import { reasonWithEnd } from '../text/reason-lines.ts'
import { safeHead, safeLine } from '../text/safe-text.ts'
import type { Words } from './words.ts'

/** How many lines of a failed command's output are shown in the stream. `muster base` shows more. */
const SHOWN_LINES = 8
const LINE_LIMIT = 200

export function baseCheckingWords({ data }: WireEventOf<'base_checking'>): Words {
  const commands = [...data.setup, ...data.checks].map((command) => safeLine(command)).join(', ')
  const what =
    data.isShared === true
      ? `waiting for another job to check ${placeOf(data)}`
      : `checking ${placeOf(data)} first`
  return { tone: 'dim', text: `${what}: ${commands}` }
}

export function baseCheckedWords({ data, jobId = '' }: WireEventOf<'base_checked'>): Words {
  const { outcome, failures = [] } = data
  if (outcome === 'passed') {
    const known = data.isKnown === true ? ' (known from an earlier check, so nothing was run)' : ''
    return { tone: 'dim', text: `${placeOf(data)} passes${known}` }
  }
  if (outcome === 'unknown') {
    const why = safeHead(data.reason ?? '')
    return {
      tone: 'warn',
      text: `${placeOf(data)} could not be checked; continuing without a result: ${why}`,
    }
  }
  const hasSetup = failures.some(({ isSetup }) => isSetup)
  const named = failures.map(({ command }) => `"${safeLine(command)}"`).join(', ')
  const text = failures.every(({ isAltered }) => isAltered)
    ? `tracked files changed on ${placeOf(data)} during setup or a check: ${named}`
    : `${placeOf(data)} already fails ${counted(failures.length, hasSetup ? 'setup command' : 'check')}: ${named}`
  const output = failures.flatMap(({ detail }) => reasonWithEnd(detail, LINE_LIMIT, SHOWN_LINES))
  if (data.isAsking !== true) return { tone: 'warn', text, lines: output }
  const choices = choiceLines(jobId, hasSetup ? ['fix', 'retry', 'stop'] : undefined)
  return { tone: 'warn', text: `waiting for you: ${text}`, lines: output, next: choices }
}

export function baseDecidedWords({ data }: WireEventOf<'base_decided'>): Words {
  const named = data.commands.map((command) => safeLine(command)).join(', ')
  const text =
    data.decision === 'fix'
      ? `fixing this first: ${named}`
      : `continuing; failures of these checks aren't held against the work: ${named}`
  return { tone: 'strong', text }
}

export function baseFixWords({ data, jobId = '' }: WireEventOf<'base_fix_ended'>): Words {
  if (data.landed) return { tone: 'good', text: 'fixed: all checks pass with the fix' }
  const text = `waiting for you: ${placeOf(data)} still fails; no fix landed`
  return { tone: 'warn', text, next: [`muster base ${safeLine(jobId)}`] }
}

function placeOf({ branch, commit }: { readonly branch: string; readonly commit: string }): string {
  return `${safeLine(branch)} at ${safeLine(commit).slice(0, 10)}`
}
