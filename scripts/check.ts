/** The one gate: format and lint, both type checks, the room rules, dead code. Stops at the first failure. */
import { execFileSync } from 'node:child_process'

const gates: readonly (readonly [string, ...string[]])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '-p', 'tsconfig.json'],
  ['tsc', '-p', 'tsconfig.domain.json'],
  ['knip'],
]

for (const [command, ...commandArguments] of gates) run(command, commandArguments, 'inherit')

const cruised = run('depcruise', ['src', '--output-type', 'err'], 'pipe')
process.stdout.write(cruised)
// A cruiser that cannot read TypeScript reports no violations in no modules: refuse that green.
const modules = Number(/\((\d+) modules/.exec(cruised)?.[1] ?? 0)
if (modules < 50) {
  process.stderr.write(`check: dependency-cruiser saw only ${modules} modules\n`)
  process.exit(1)
}
process.stdout.write(`check: all gates passed, ${modules} modules cruised\n`)

function run(command: string, commandArguments: readonly string[], stdout: 'inherit' | 'pipe'): string {
  process.stdout.write(`check: ${command} ${commandArguments.join(' ')}\n`)
  try {
    return (
      execFileSync(command, commandArguments, {
        stdio: ['inherit', stdout, 'inherit'],
        encoding: 'utf8',
      }) ?? ''
    )
  } catch (error) {
    // What an inherited stream has not shown yet is in the error.
    process.stderr.write((error as { stdout?: string | null }).stdout ?? '')
    return process.exit(1)
  }
}
