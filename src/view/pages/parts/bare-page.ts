/** Asks for a page without style sheet and script. */
export const BARE_PAGE = 'retake-bare-page';
