/**
 * Who must agree, after the checks, before something lands: no one, a reviewer agent, or a person who saw the diff of
 * exactly this landing (and the reviewer too, if there is one).
 */
export type LandingMode = 'auto' | 'review' | 'approve'
