"""OpenCV's ways to lay one picture over another, each as a function of two grey pictures.

Each returns the homography from the now to the then picture, or None where the same gate as ours refuses: at least 15
inliers where there are features, and a plausible quadrilateral.
"""
import cv2
import numpy as np

INLIERS = 15


def is_plausible(matrix, width, height):
    """Whether the moved frame is convex, turned by less than 30°, 0.4 to 2.5 times as large and near the middle."""
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    if matrix is None or not np.isfinite(matrix).all():
        return False
    moved = cv2.perspectiveTransform(corners, matrix)[0]
    if not np.isfinite(moved).all() or not cv2.isContourConvex(moved.astype(np.float32)):
        return False
    area = cv2.contourArea(moved.astype(np.float32), oriented=True) / (width * height)
    edge, shift = moved[1] - moved[0], moved.mean(axis=0) - corners[0].mean(axis=0)
    return (0.4 < area < 2.5 and abs(np.degrees(np.arctan2(edge[1], edge[0]))) < 30
            and np.hypot(*shift) < 0.4 * width)


def with_features(make, norm, method, threshold, now, then):
    detector = make()
    now_points, now_descriptors = detector.detectAndCompute(now, None)
    then_points, then_descriptors = detector.detectAndCompute(then, None)
    if now_descriptors is None or then_descriptors is None or min(len(now_points), len(then_points)) < INLIERS:
        return None
    matches = [two[0] for two in cv2.BFMatcher(norm).knnMatch(now_descriptors, then_descriptors, 2)
               if len(two) == 2 and two[0].distance < 0.8 * two[1].distance]
    if len(matches) < INLIERS:
        return None
    cv2.setRNGSeed(1)
    matrix, inliers = cv2.findHomography(
        np.float32([now_points[one.queryIdx].pt for one in matches]),
        np.float32([then_points[one.trainIdx].pt for one in matches]), method, threshold, maxIters=5000,
        confidence=0.999)
    if matrix is None or inliers.sum() < INLIERS or not is_plausible(matrix, *now.shape[::-1]):
        return None
    return matrix


def orb(now, then):
    return with_features(lambda: cv2.ORB_create(2000), cv2.NORM_HAMMING, cv2.RANSAC, 3, now, then)


def akaze(now, then):
    return with_features(cv2.AKAZE_create, cv2.NORM_HAMMING, cv2.RANSAC, 3, now, then)


def sift(now, then):
    return with_features(cv2.SIFT_create, cv2.NORM_L2, cv2.USAC_MAGSAC, 2, now, then)


def gradients(picture):
    """The magnitude of the gradient, divided by its local mean."""
    picture = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 1)
    magnitude = cv2.magnitude(cv2.Sobel(picture, cv2.CV_32F, 1, 0), cv2.Sobel(picture, cv2.CV_32F, 0, 1))
    return magnitude / (cv2.GaussianBlur(magnitude, (0, 0), 15) + 2)


def enhanced_correlation(now, then, start):
    """ECC on gradients, coarse to fine, affine then homography, from a start; None where it doesn't converge."""
    matrix, best = start.copy(), 0
    for scale, motion in ((0.125, cv2.MOTION_AFFINE), (0.25, cv2.MOTION_AFFINE), (0.5, cv2.MOTION_HOMOGRAPHY),
                          (1, cv2.MOTION_HOMOGRAPHY)):
        small = [cv2.resize(gradients(cv2.resize(one, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)), None,
                            fx=1, fy=1) for one in (now, then)]
        sides = np.diag([scale, scale, 1])
        # ECC wants the map from its template, the now picture, to the other.
        level = sides @ matrix @ np.linalg.inv(sides)
        level = (level / level[2, 2]).astype(np.float32)
        if motion == cv2.MOTION_AFFINE:
            level = level[:2]
        try:
            best, level = cv2.findTransformECC(
                small[0], small[1], level, motion, (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4), None, 5)
        except cv2.error:
            return None
        level = level if len(level) == 3 else np.vstack([level, [0, 0, 1]])
        matrix = np.linalg.inv(sides) @ level.astype(np.float64) @ sides
    return matrix if best > 0.3 and is_plausible(matrix, *now.shape[::-1]) else None


def sift_then_ecc(now, then):
    start = sift(now, then)
    if start is None:
        return None
    return enhanced_correlation(now, then, start)


def ecc(now, then):
    return enhanced_correlation(now, then, np.eye(3))


METHODS = {"ORB 2000, RANSAC": orb, "AKAZE, RANSAC": akaze, "SIFT, MAGSAC": sift,
           "SIFT, MAGSAC, then ECC on gradients": sift_then_ecc, "ECC on gradients": ecc}
