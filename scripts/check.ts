/** The one gate: format and lint, both type checks, the room rules, dead code. Stops at the first failure. */
import { execFileSync } from 'node:child_process'

const gates: readonly (readonly [string, ...string[]])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '-p', 'tsconfig.json'],
  ['tsc', '-p', 'tsconfig.domain.json'],
  ['depcruise', 'src', '--output-type', 'err'],
  ['knip'],
]

for (const [command, ...commandArguments] of gates) {
  process.stdout.write(`check: ${command} ${commandArguments.join(' ')}\n`)
  try {
    execFileSync(command, commandArguments, { stdio: 'inherit' })
  } catch {
    // The tool has already said what is wrong on the inherited streams.
    process.exit(1)
  }
}

// A cruiser that cannot read TypeScript reports no violations in no modules: refuse that green.
const cruised = execFileSync('depcruise', ['src', '--output-type', 'json'], { maxBuffer: 1 << 28 })
const { summary } = JSON.parse(cruised.toString()) as { summary: { totalCruised: number } }
if (summary.totalCruised < 50) {
  process.stderr.write(`check: dependency-cruiser saw only ${summary.totalCruised} modules\n`)
  process.exit(1)
}
process.stdout.write(`check: all gates passed, ${summary.totalCruised} modules cruised\n`)
