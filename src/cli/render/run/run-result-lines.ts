import type { WireArtifact, WireDecision, WireFinding } from '../../../contract/run-result.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'

export function findingLines(findings: readonly WireFinding[], paint: Paint): readonly string[] {
  if (findings.length === 0) return ['no findings']
  return findings.flatMap((finding) => {
    const { claim, confidence, role, stage, sources, contradictingEvidence, verifiedBy } = finding
    const verified =
      verifiedBy === undefined
        ? paint('warn', 'not verified')
        : paint('good', `verified by ${safeLine(verifiedBy)}`)
    return [
      paint('strong', safeLine(claim)),
      `  ${confidence} confidence, ${verified}; ${safeLine(role)} in ${safeLine(stage)}`,
      ...sources.map((source) => `  source: ${safeLine(source)}`),
      ...(contradictingEvidence === undefined ? [] : [`  against it: ${safeLine(contradictingEvidence)}`]),
    ]
  })
}

const STATUS_TONES = { pending: 'dim', approved: 'good', needs_revision: 'warn', rejected: 'bad' } as const
const SHOWN_FILES = 10

export function artifactLines(artifacts: readonly WireArtifact[], paint: Paint): readonly string[] {
  if (artifacts.length === 0) return ['no artifacts']
  return artifacts.flatMap(({ artifactType, version, reviewStatus, role, stage, summary, files, commit }) => {
    const status = paint(STATUS_TONES[reviewStatus], reviewStatus.replace('_', ' '))
    const of = commit === undefined ? '' : ` at ${commit.slice(0, 12)}`
    const more = files.length > SHOWN_FILES ? [`  and ${files.length - SHOWN_FILES} more files`] : []
    return [
      `${paint('strong', `${safeLine(artifactType)} v${version}`)} ${status}; ${safeLine(role)} in ${safeLine(stage)}${of}`,
      ...(summary === '' ? [] : [`  ${safeLine(summary)}`]),
      ...files.slice(0, SHOWN_FILES).map((file) => `  ${safeLine(file)}`),
      ...more,
    ]
  })
}

export function decisionLines(decisions: readonly WireDecision[], paint: Paint): readonly string[] {
  if (decisions.length === 0) return ['no decisions']
  return decisions.flatMap(({ decision, rationale, alternatives, role, stage }) => [
    `${paint('dim', `${safeLine(role)} in ${safeLine(stage)}:`)} ${safeLine(decision)}`,
    ...(rationale === undefined || rationale === '' ? [] : [`  because: ${safeLine(rationale)}`]),
    ...alternatives.map(({ name, cons }) => {
      const why = cons.length === 0 ? '' : `: ${safeLine(cons.join('; '))}`
      return `  instead of ${safeLine(name)}${why}`
    }),
  ])
}
