import type { WireRunResult } from '../../../contract/run-summary.ts'
import { dollars } from '../../../domain/budget/dollars.ts'
import { codeSpan, inertLine } from '../../../domain/inert-markdown.ts'
import { plainText } from '../../../domain/plain-text.ts'
import { actionWords } from '../../../domain/run/action-words.ts'
import { visitLabel } from '../../../domain/run/visit-label.ts'
import { short } from './task-markdown.ts'

/** The result of a run as a Markdown document. */
export function runMarkdown(result: WireRunResult): string {
  const lines = [
    `# ${inertLine(result.playbook)}: ${inertLine(result.goal, GOAL_LIMIT)}`,
    '',
    inertLine(result.summary),
    ...section('Result', headLines(result)),
    ...section('What it did without', (result.degradation?.notes ?? []).map(item)),
    ...section('Errors', errorLines(result)),
    ...section(
      'Next',
      result.next
        .filter(({ command }) => !isThis(command, result))
        .map(({ purpose, command }) => `- ${inertLine(purpose)}: ${codeSpan(command)}`),
    ),
    ...section('Roles', roleLines(result)),
    ...section('Stages', stageLines(result)),
    ...section('Artifacts', result.artifacts.map(artifactLine)),
    ...section('Findings', result.findings.flatMap(findingLines)),
    ...section('Decisions', result.decisions.flatMap(decisionLines)),
    ...result.documents.flatMap(({ name, text }) => section(inertLine(name), quoted(text))),
  ]
  return `${lines.join('\n')}\n`
}

const GOAL_LIMIT = 120
const MINUTE_MS = 60_000

/** Whoever reads the document has it already. */
function isThis(command: string, { id }: WireRunResult): boolean {
  return command === `muster export ${id}`
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]
}

function item(text: string): string {
  return `- ${inertLine(text)}`
}

/** The text of a document is another's Markdown. As a quotation, it can't change what follows. */
function quoted(text: string): readonly string[] {
  return text.split('\n').map((line) => `> ${plainText(line)}`.trimEnd())
}

function headLines(result: WireRunResult): readonly string[] {
  const { id, jobId, status, end, progress, startedAt, endedAt, durationMs, activeMs, landing } = result
  const [took, worked] = [minutes(durationMs), minutes(activeMs)]
  const time = took === worked ? took : `${took}, of which it worked ${worked}`
  const landed = landing?.commit === undefined ? '' : ` as ${short(landing.commit)}`
  return [
    `- run ${codeSpan(id)} of job ${codeSpan(jobId)}`,
    `- ${end ?? status}, ${Math.floor(progress * 100)} % done`,
    `- from ${startedAt} to ${endedAt ?? 'now'}: ${time}`,
    ...(landing === undefined
      ? []
      : [`- its work: ${landing.status}${landed} on ${codeSpan(landing.branch)}`]),
    `- cost: ${costWords(result.cost)}`,
  ]
}

function errorLines({ errors }: WireRunResult): readonly string[] {
  return errors.map((error) => {
    const { at, code, message, recovered } = error
    const end = recovered === undefined ? '' : `, ${recovered ? '' : 'not '}recovered`
    return `- ${at} ${inertLine(visitLabel(error))}: ${inertLine(message)}; ${actionWords(error)}${end} (${codeSpan(code)})`
  })
}

function roleLines({ roles }: WireRunResult): readonly string[] {
  const rows = roles.map(
    ({ role, agents, visits, tries, durationMs, cost }) =>
      `| ${[inertLine(role), inertLine(agents.join(', ')), visits, tries, minutes(durationMs), costWords(cost), cost.inputTokens + cost.outputTokens].join(' | ')} |`,
  )
  if (rows.length === 0) return []
  return [
    '| role | agents | visits | tries | time | cost | tokens |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ]
}

function stageLines({ stages }: WireRunResult): readonly string[] {
  return stages.map(({ stage, outcomes, chosen, durationMs }) => {
    if (chosen !== undefined) return `- ${inertLine(stage)} -> ${inertLine(chosen.join(', then '))}`
    const words =
      outcomes.length === 0 ? 'not ended' : outcomes.map((word) => inertLine(word)).join(', then ')
    return `- ${inertLine(stage)}: ${words} (${minutes(durationMs)})`
  })
}

function artifactLine(artifact: WireRunResult['artifacts'][number]): string {
  const { artifactType, version, reviewStatus, summary, files, commit } = artifact
  const at = commit === undefined ? '' : ` at ${short(commit)}`
  const names = files.length === 0 ? '' : `: ${files.map(codeSpan).join(', ')}`
  return `- ${inertLine(artifactType)} v${version}, ${reviewStatus.replace('_', ' ')}${at}. ${inertLine(summary)}${names}`
}

function findingLines(finding: WireRunResult['findings'][number]): readonly string[] {
  const { claim, confidence, sources, contradictingEvidence, verifiedBy } = finding
  const verified = verifiedBy === undefined ? 'not verified' : `verified by ${inertLine(verifiedBy)}`
  return [
    `- ${inertLine(claim)} (${inertLine(confidence)} confidence, ${verified})`,
    ...sources.map((source) => `  - source: ${inertLine(source)}`),
    ...(contradictingEvidence === undefined ? [] : [`  - against it: ${inertLine(contradictingEvidence)}`]),
  ]
}

function decisionLines(decision: WireRunResult['decisions'][number]): readonly string[] {
  return [
    `- ${inertLine(decision.role)}: ${inertLine(decision.decision)}`,
    ...(decision.rationale === undefined ? [] : [`  - because: ${inertLine(decision.rationale)}`]),
    ...decision.alternatives.map(({ name }) => `  - instead of ${inertLine(name)}`),
  ]
}

function minutes(milliseconds: number): string {
  const whole = Math.floor(milliseconds / MINUTE_MS)
  const seconds = Math.round((milliseconds % MINUTE_MS) / 1000)
  return whole === 0 ? `${seconds} s` : `${whole} min ${seconds} s`
}

function costWords({ costUsd, unpriced }: WireRunResult['cost']): string {
  if (unpriced === 0) return dollars(costUsd)
  return costUsd > 0 ? `${dollars(costUsd)} plus what was not reported` : 'not reported'
}
