export const VIDEO_ROUTES = {
  'text-to-video': '/v2/video/text-to-video',
  'image-to-video': '/v2/video/image-to-video',
} as const;
export type VideoRoute = keyof typeof VIDEO_ROUTES;
