/** How often a test repeats something random: a few times in `npm test`, many times in `npm run test:faults`. */
export function trials(few: number, many: number): number {
  return process.env['MUSTER_MANY_TRIALS'] === 'yes' ? many : few
}
